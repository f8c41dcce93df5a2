! The number of the thread in a variable of all threads: 'private' has been forgotten.
! required: MPI_THREAD_MULTIPLE
program shared_number
  use mpi
  use omp_lib
  implicit none
  integer :: provided, ierr, me
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(ierr)
  me = omp_get_thread_num()
  if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
