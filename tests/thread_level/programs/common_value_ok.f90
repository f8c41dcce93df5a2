! What one process does in one thread, and another process in another one, never meets.
! required: MPI_THREAD_SERIALIZED
program common_value
  use mpi
  use omp_lib
  implicit none
  integer :: provided, rank, ierror, thread, value
  logical :: is_sender

  value = 0
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  is_sender = mod(rank, 2) == 0
  !$omp parallel private(thread, ierror)
  thread = omp_get_thread_num()
  if (rank == 0 .and. thread == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror)
  if (rank == 1 .and. thread == 1) then
    call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end if
  !$omp end parallel
  !$omp parallel sections private(ierror)
  !$omp section
  if (is_sender) call MPI_Send(value, 1, MPI_INTEGER, rank + 1, 0, MPI_COMM_WORLD, ierror)
  !$omp section
  if (.not. is_sender) then
    call MPI_Recv(value, 1, MPI_INTEGER, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end if
  !$omp end parallel sections
  call MPI_Finalize(ierror)
end program common_value
