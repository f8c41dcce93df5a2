! As chosen_level_ok.c. required: MPI_THREAD_SERIALIZED
program chosen_level_ok
  use mpi
  implicit none
  integer :: wanted, provided, error
  wanted = MPI_THREAD_SINGLE
  !$ if (command_argument_count() > 0) wanted = MPI_THREAD_MULTIPLE
  call MPI_Init_thread(wanted, provided, error)
  if (provided < wanted) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(error)
end program
