! As iteration_address_error.c.
! required: MPI_THREAD_MULTIPLE
program main
  use mpi
  implicit none
  integer :: provided, error, i, n
  real :: values(20)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  n = 20
  values = 0
  !$omp parallel do private(error)
  do i = 1, n
    if (i > 1) call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    if (values(i) > 2.0) call show(i)
  end do
  !$omp end parallel do
  call MPI_Finalize(error)
contains
  subroutine show(number)
    integer, intent(in) :: number
    values(number) = real(number)
  end subroutine
end program
