! The thread whose number a variable has calls MPI, and gives the turn to another one.
! required: MPI_THREAD_SERIALIZED
program own_turn
  use mpi
  use omp_lib
  implicit none
  integer, volatile :: turn = 0
  integer :: next, now, provided, thread, ierror, value

  next = 0
  value = 0
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  !$omp parallel private(thread, ierror)
  thread = omp_get_thread_num()
  do
    !$omp flush
    if (turn == thread) exit
  end do
  call MPI_Send(value, 1, MPI_INTEGER, 0, thread, MPI_COMM_SELF, ierror)
  turn = thread + 1
  !$omp flush
  !$omp end parallel
  !$omp parallel private(thread, now, ierror)
  thread = omp_get_thread_num()
  do
    !$omp atomic read
    now = next
    if (now == thread) exit
  end do
  call MPI_Send(value, 1, MPI_INTEGER, 0, thread, MPI_COMM_SELF, ierror)
  !$omp atomic write
  next = thread + 1
  !$omp end parallel
  call MPI_Finalize(ierror)
end program own_turn
