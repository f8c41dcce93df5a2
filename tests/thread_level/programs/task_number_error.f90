! Tasks that know the number of who has made them, and those that go on on another thread.
! required: MPI_THREAD_MULTIPLE
program tasks
  use mpi
  use omp_lib
  implicit none
  integer :: i, ierror, provided, thread
  real :: a(100)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  !$omp parallel private(thread, i)
  thread = omp_get_thread_num()
  do i = 1, 10
    !$omp task
    if (thread == 0) call MPI_Send(a, 100, MPI_REAL, 0, i, MPI_COMM_SELF, ierror) ! expect: mpi-thread-level
    !$omp end task
  end do
  !$omp end parallel
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task untied
    if (omp_get_thread_num() == 0) call MPI_Send(a, 10, MPI_REAL, 0, i, MPI_COMM_SELF, ierror) ! expect: mpi-thread-level
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
