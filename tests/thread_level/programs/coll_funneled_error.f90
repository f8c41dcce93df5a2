! Any thread may execute a single construct; mpi_f08.
! required: MPI_THREAD_SERIALIZED
program p
  use mpi_f08
  use omp_lib
  implicit none
  integer :: ierr, provided, value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  value = 1
  !$omp parallel
  !$omp single
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD) ! expect: mpi-thread-level
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
