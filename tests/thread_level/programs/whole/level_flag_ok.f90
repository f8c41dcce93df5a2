! A module keeps which thread level is provided, and others ask for it.
! required: MPI_THREAD_SERIALIZED
! file: levels.f90
module levels
  implicit none
  logical, save :: is_multiple = .false.
  type state
    logical :: is_serial
  end type
  type(state), save :: world
contains
  subroutine start()
    use mpi
    integer :: provided, error
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    is_multiple = provided >= MPI_THREAD_MULTIPLE
    world%is_serial = provided == MPI_THREAD_SERIALIZED
  end subroutine
end module
! file: main.f90
program main
  use levels
  use mpi
  implicit none
  integer :: i, error
  call start()
  !$omp parallel do
  do i = 1, 10
    if (is_multiple) then
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
    else
      !$omp critical (message)
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (message)
    end if
    if (world%is_serial) then
      !$omp critical (message)
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (message)
    else
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
    end if
  end do
  call MPI_Finalize(error)
end program
