! The level is a component that is written: it is not known.
! required: MPI_THREAD_SERIALIZED
module settings
  use mpi
  implicit none
  type options
    integer :: rounds, level
  end type
  type(options), save :: wanted = options(4, MPI_THREAD_FUNNELED)
end module

program main
  use mpi
  use settings
  implicit none
  integer :: provided, error
  if (command_argument_count() > 0) wanted%level = MPI_THREAD_SERIALIZED
  call MPI_Init_thread(wanted%level, provided, error)
  if (provided < wanted%level) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(error)
end program
