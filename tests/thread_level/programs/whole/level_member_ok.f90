! A module keeps the level that is provided in an object, and others ask for it there.
! required: MPI_THREAD_SERIALIZED
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
    mp%mode = provided
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
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
    else
      !$omp critical (message)
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (message)
    end if
    if (level < MPI_THREAD_MULTIPLE) then
      !$omp critical (message)
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (message)
    else
      call MPI_Send(i, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
    end if
  end do
  call MPI_Finalize(error)
end program
