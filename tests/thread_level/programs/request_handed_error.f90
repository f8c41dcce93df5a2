! All threads wait for the same requests, which a procedure is handed.
! required: MPI_THREAD_MULTIPLE
program request_handed
  use mpi
  implicit none
  integer :: provided, error, i
  integer, save :: requests(4)
  double precision :: values(4)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  do i = 1, 4
    call MPI_Irecv(values(i), 1, MPI_DOUBLE_PRECISION, 0, i, MPI_COMM_WORLD, requests(i), error)
  end do
  !$omp parallel
  call finish(requests)
  !$omp end parallel
  call MPI_Finalize(error)
contains
  subroutine finish(all)
    integer, intent(inout) :: all(4)
    integer :: status
    call MPI_Waitall(4, all, MPI_STATUSES_IGNORE, status)  ! expect: mpi-concurrent-request
  end subroutine
end program
