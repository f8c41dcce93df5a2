! Twin of level_member_ok.f90: what is kept is no level, or one that is too low.
! required: MPI_THREAD_MULTIPLE
! file: worlds.f90
module worlds
  use mpi
  implicit none
  type world
    integer :: mode
  end type
  type(world) :: mp
  integer :: level
contains
  subroutine start()
    integer :: provided, error
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    mp%mode = command_argument_count()
    level = provided
  end subroutine
end module
! file: main.f90
program main
  use worlds
  implicit none
  integer :: i, error
  call start()
  !$omp parallel do private(error)
  do i = 1, 10
    if (mp%mode == MPI_THREAD_MULTIPLE) then
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)  ! expect: mpi-thread-level
    else
      !$omp critical (message)
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (message)
    end if
  end do
  call again()
  call MPI_Finalize(error)
end program
subroutine again()
  use worlds
  implicit none
  integer :: i, error
  !$omp parallel do private(error)
  do i = 1, 10
    if (level < MPI_THREAD_SERIALIZED) then
      !$omp critical (message)
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (message)
    else
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)  ! expect: mpi-thread-level
    end if
  end do
end subroutine
