! select case of the thread number: others than thread 0 call.
! required: MPI_THREAD_MULTIPLE
program p
  use omp_lib
  use mpi
  implicit none
  integer :: ierr, provided, value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(value, ierr)
  value = 0
  select case (omp_get_thread_num())
  case (0)
    value = 1
  case (1:3)
    call MPI_Send(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr) ! expect: mpi-thread-level
  case default
    value = 2
  end select
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
