! More is requested than needed.
! required: MPI_THREAD_SERIALIZED
program p
  use mpi
  implicit none
  integer :: ierr, provided
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr) ! expect: mpi-level-too-high
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(ierr)
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
