! The number of the thread in a COMMON that each thread has for itself, under another name in each
! procedure.
! required: MPI_THREAD_FUNNELED
program p
  use omp_lib
  use mpi
  implicit none
  integer :: ierr, provided, threads, me
  common /of_thread/ threads, me
  !$omp threadprivate(/of_thread/)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel
  threads = omp_get_num_threads()
  me = omp_get_thread_num()
  call exchange()
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p

subroutine exchange()
  use mpi
  implicit none
  integer :: ierr, value, n, thread
  common /of_thread/ n, thread
  !$omp threadprivate(/of_thread/)
  value = n
  if (thread == 0) call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
end subroutine exchange
