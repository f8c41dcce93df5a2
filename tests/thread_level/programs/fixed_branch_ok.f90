! Branches on what the program has computed in front of its regions.
! required: MPI_THREAD_SERIALIZED
module collecting
  use mpi
  implicit none
  logical :: gathers
  integer :: total
contains
  subroutine collect()
    integer :: error
    !$omp critical (collective)
    if (gathers) then
      call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    else
      call MPI_Barrier(MPI_COMM_WORLD, error)
    end if
    !$omp end critical (collective)
  end subroutine
end module

program branches
  use collecting
  implicit none
  integer :: i, ierror, provided
  logical :: waits
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  gathers = provided > MPI_THREAD_SERIALIZED
  waits = command_argument_count() > 2
  total = 0
  !$omp parallel do
  do i = 1, 10
    call collect()
  end do
  !$omp end parallel do
  !$omp parallel
  !$omp critical
  if (waits) then
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  else
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end if
  !$omp end critical
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
