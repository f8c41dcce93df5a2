! The level is requested by variables; of one it is not known what it is.
! required: MPI_THREAD_SERIALIZED
program level_variable
  use mpi
  implicit none
  integer :: wanted, asked, provided, error, is_started
  logical :: is_there
  wanted = MPI_THREAD_SERIALIZED
  asked = MPI_THREAD_FUNNELED
  call MPI_Initialized(is_there, error)
  call read_level(asked)
  if (is_there) then
    call MPI_Init_thread(asked, provided, error)
  else
    call MPI_Init_thread(wanted, provided, error)
  end if
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(error)
contains
  subroutine read_level(level)
    integer, intent(inout) :: level
    read *, level
  end subroutine
end program
