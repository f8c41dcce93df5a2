! Threads never hand over what leads to MPI.
! required: MPI_THREAD_SINGLE
module inversion
  use mpi
contains
  subroutine invert(values, barrier, last)
    real, intent(inout) :: values(:)
    logical, intent(in), optional :: barrier, last
    integer :: i, ierror
    if (present(barrier)) call MPI_Barrier(MPI_COMM_WORLD, ierror)
    !$omp do
    do i = 1, size(values)
      values(i) = 2 * values(i)
    end do
    if (.not. present(last)) call stop_all
  end subroutine
  subroutine stop_all
    integer :: ierror
    call MPI_Finalize(ierror)
    stop
  end subroutine
end module
program main
  use inversion
  implicit none
  integer :: ierror, provided
  real :: values(100)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  values = 1
  call invert(values, .true., .true.)
  !$omp parallel
  call invert(values, last=.true.)
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
