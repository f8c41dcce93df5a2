! A barrier at the end of the first of two single constructs.
! required: MPI_THREAD_SERIALIZED
program p
  use mpi
  use omp_lib
  implicit none
  integer :: ierr, provided, value
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  value = 1
  !$omp parallel
  !$omp single
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  !$omp end single
  !$omp single
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
