! Tasks, and `single`, that leave MPI to thread 0.
! required: MPI_THREAD_FUNNELED
module progress
  use mpi
  use omp_lib
  implicit none
  integer :: request = MPI_REQUEST_NULL
contains
  subroutine look()
    integer :: ierror
    logical :: is_there
    if (omp_get_thread_num() == 0) call MPI_Test(request, is_there, MPI_STATUS_IGNORE, ierror)
  end subroutine
end module

program tasks
  use progress
  implicit none
  integer :: i, ierror, provided
  real :: a(100)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task
    a(10 * i) = i
    call look()
    !$omp end task
  end do
  if (omp_get_thread_num() == 0) call MPI_Send(a, 100, MPI_REAL, 0, 1, MPI_COMM_SELF, ierror)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
