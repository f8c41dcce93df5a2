! Types of Fortran with and without a size in their names that are one on this machine.
!
!   ranks: 2
program sized
  use mpi_f08
  implicit none
  real(8) :: numbers(4)
  real(4) :: halves(4)
  integer(4) :: counts(4)
  complex(8) :: waves(4)
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  numbers = rank
  halves = rank
  counts = rank
  waves = rank
  if (rank == 0) then
     call MPI_Send(numbers, 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD)
     call MPI_Send(counts, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD)
     call MPI_Send(halves, 4, MPI_REAL, 1, 2, MPI_COMM_WORLD)
     call MPI_Send(waves, 4, MPI_DOUBLE_COMPLEX, 1, 3, MPI_COMM_WORLD)
  else
     call MPI_Recv(numbers, 4, MPI_REAL8, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
     call MPI_Recv(counts, 4, MPI_INTEGER4, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
     call MPI_Recv(halves, 4, MPI_REAL4, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
     call MPI_Recv(waves, 4, MPI_COMPLEX16, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
