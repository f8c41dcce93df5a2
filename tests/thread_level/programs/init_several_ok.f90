! MPI_Init in front of the team that calls nothing.
! required: MPI_THREAD_SINGLE
program p
  use mpi
  implicit none
  integer :: ierr, provided, value
  value = 0
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel reduction(+ : value)
  value = value + 1
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
