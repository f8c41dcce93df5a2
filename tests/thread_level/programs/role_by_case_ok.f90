! What a thread is to do is set by a `select case` on its number.
! required: MPI_THREAD_FUNNELED
program role_by_case
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: exchange = 1, compute = 2, report = 3
  integer :: provided, ierr, duty
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(duty, ierr)
  select case (omp_get_thread_num())
  case (0)
    duty = exchange
  case (1:3)
    duty = report
  case default
    duty = compute
  end select
  if (duty == exchange) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
