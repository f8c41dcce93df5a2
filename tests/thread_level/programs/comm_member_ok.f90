! A solver with a communicator of its own for each thread.
! required: MPI_THREAD_MULTIPLE
module solvers
  use mpi
  implicit none
  type solver
    integer :: comm
  end type
contains
  subroutine sum_up(this, value)
    type(solver), intent(in) :: this
    real(8), intent(inout) :: value
    integer :: ierr
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_REAL8, MPI_SUM, this%comm, ierr)
  end subroutine
end module

program main
  use solvers
  use omp_lib
  implicit none
  type(solver) :: each(0:3)
  integer :: i, provided, ierr
  real(8) :: values(0:3)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) stop 1
  do i = 0, 3
    call MPI_Comm_dup(MPI_COMM_WORLD, each(i)%comm, ierr)
  end do
  values = 1
  !$omp parallel num_threads(4)
  call sum_up(each(omp_get_thread_num()), values(omp_get_thread_num()))
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
