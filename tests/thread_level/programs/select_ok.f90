! select case of the thread number: only thread 0 calls.
! required: MPI_THREAD_FUNNELED
program p
  use omp_lib
  use mpi
  implicit none
  integer :: ierr, provided, value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(value, ierr)
  select case (omp_get_thread_num())
  case (0)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  case (1:3)
    value = 1
  case default
    value = 2
  end select
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
