! What was provided is never looked at.
! required: MPI_THREAD_FUNNELED
program p
  use mpi
  implicit none
  integer :: ierr, provided
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr) ! expect: mpi-provided-untested
  !$omp parallel private(ierr)
  !$omp master
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
