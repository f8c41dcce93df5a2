! All threads wait for the same array of requests.
! required: MPI_THREAD_MULTIPLE
program p
  use mpi_f08
  implicit none
  integer :: provided
  type(MPI_Request) :: requests(2)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1)
  requests = MPI_REQUEST_NULL
  !$omp parallel
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) ! expect: mpi-concurrent-request
  !$omp end parallel
  call MPI_Finalize()
end program p
