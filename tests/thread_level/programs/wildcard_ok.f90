! A receive from anyone beside one with another tag.
! required: MPI_THREAD_MULTIPLE
program wildcard
  use mpi_f08
  implicit none
  integer :: provided
  real :: first, second
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1)
  !$omp parallel sections
  !$omp section
  call MPI_Recv(first, 1, MPI_REAL, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  !$omp section
  call MPI_Recv(second, 1, MPI_REAL, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  !$omp end parallel sections
  call MPI_Finalize()
end program
