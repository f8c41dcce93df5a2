! Each iteration has a root of its own, which a procedure gets: their order is left to a critical section.
! required: MPI_THREAD_SERIALIZED
program order_handed
  use mpi
  implicit none
  integer :: provided, error, ranks, i
  double precision :: values(8)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  !$omp parallel do schedule(dynamic)
  do i = 1, 100
    !$omp critical
    call ship(i)
    !$omp end critical
  end do
  !$omp end parallel do
  call MPI_Finalize(error)
contains
  subroutine ship(number)
    integer, intent(in) :: number
    integer :: status
    call MPI_Bcast(values, 8, MPI_DOUBLE_PRECISION, mod(number, ranks), MPI_COMM_WORLD, status)  ! expect: mpi-collective-order
  end subroutine
end program
