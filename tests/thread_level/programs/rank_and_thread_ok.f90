! As rank_and_thread_ok.c.
! required: MPI_THREAD_FUNNELED
program main
  use mpi
  use omp_lib
  implicit none
  integer :: provided, error, rank, me, value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  !$omp parallel private(me, value, error)
  me = omp_get_thread_num()
  value = 1
  if (rank == 0 .and. me == 0) call MPI_Send(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, error)
  if (.not. (rank /= 0 .or. me /= 0)) call MPI_Send(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, error)
  !$omp end parallel
  call MPI_Finalize(error)
end program
