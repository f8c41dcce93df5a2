! As much is requested as needed.
! required: MPI_THREAD_SERIALIZED
program p
  use mpi
  implicit none
  integer :: ierr, provided
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(ierr)
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
