! Types of Fortran with a size in their names that the sender's are not.
!
!   ranks: 2
!   find: error | wrong data type | 0 1 | MPI_Send LINE(real)
!   find: error | wrong data type | 0 1 | MPI_Send LINE(integer)
program sized
  use mpi_f08
  implicit none
  real(8) :: numbers(4)
  real(4) :: halves(8)
  integer(4) :: counts(4)
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  numbers = rank
  halves = rank
  counts = rank
  if (rank == 0) then
     call MPI_Send(numbers, 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD)  ! @real
     call MPI_Send(counts, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD)  ! @integer
  else
     call MPI_Recv(halves, 8, MPI_REAL4, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
     call MPI_Recv(halves, 4, MPI_REAL4, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
