! What a loop may do in its first round meets what is in front of the loop.
! required: MPI_THREAD_MULTIPLE
program rounds
  use mpi
  implicit none
  integer :: i, ierror, j, provided, request
  real :: a(100), b(100)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  !$omp parallel private(i)
  !$omp single
  call MPI_Irecv(b, 100, MPI_REAL, 0, 1, MPI_COMM_SELF, request, ierror) ! expect: mpi-thread-level mpi-concurrent-request
  call MPI_Send(a, 100, MPI_REAL, 0, 1, MPI_COMM_SELF, ierror)
  !$omp end single nowait
  do i = 1, 3
    if (i /= 3) then
      !$omp single
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
      !$omp end single
    end if
    !$omp do
    do j = 1, 100
      a(j) = i * a(j)
    end do
    !$omp end do
  end do
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
