! Fortran hands over the rank by its address, to procedures that only read it.
! required: MPI_THREAD_SERIALIZED
module exchange_of_rows
  use mpi
contains
  subroutine exchange(rows, n, rank, comm)
    integer, intent(in) :: n, rank, comm
    real(8), intent(inout) :: rows(n)
    if (rank == 0) then
      !$omp master
      call send(rows, n, rank, comm)
      !$omp end master
    else
      !$omp critical (mpi)
      call receive(rows, n, comm)
      !$omp end critical (mpi)
    end if
  end subroutine

  subroutine send(rows, n, rank, comm)
    integer, intent(in) :: n, rank, comm
    real(8), intent(in) :: rows(n)
    integer :: error
    call MPI_Send(rows, n, MPI_REAL8, rank + 1, 1, comm, error)
  end subroutine

  subroutine receive(rows, n, comm)
    integer, intent(in) :: n, comm
    real(8), intent(out) :: rows(n)
    integer :: error
    call MPI_Recv(rows, n, MPI_REAL8, 0, 1, comm, MPI_STATUS_IGNORE, error)
  end subroutine
end module

program rank_by_reference
  use exchange_of_rows
  integer :: provided, rank, error
  real(8) :: rows(8), others(8)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  rows = rank
  !$omp parallel
  call exchange(rows, size(rows), rank, MPI_COMM_WORLD)
  call exchange(others, size(others), rank, MPI_COMM_WORLD)
  !$omp end parallel
  !$omp parallel
  if (rank == 0) then
    !$omp master
    call MPI_Bcast(rows, 8, MPI_REAL8, rank, MPI_COMM_WORLD, error)
    !$omp end master
  else
    !$omp critical (mpi)
    call MPI_Send(rows, 8, MPI_REAL8, 0, rank, MPI_COMM_WORLD, error)
    !$omp end critical (mpi)
  end if
  !$omp end parallel
  call MPI_Finalize(error)
end program
