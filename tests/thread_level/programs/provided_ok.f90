! What was provided is looked at, in a module.
! required: MPI_THREAD_FUNNELED
module state
  implicit none
  integer, save :: provided
end module state
program p
  use mpi
  use state
  implicit none
  integer :: ierr
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(ierr)
  !$omp master
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
