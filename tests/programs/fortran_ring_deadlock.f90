! A ring of receives in Fortran.
!
! expect: deadlock
! ranks: 3
! core: 0 1 2
! wait: 0 all 2 MPI_Recv LINE(receive)
! wait: 1 all 0 MPI_Recv LINE(receive)
! wait: 2 all 1 MPI_Recv LINE(receive)
program fortran_ring_deadlock
    use mpi
    implicit none
    integer :: rank, size, error, value, left, right
    integer :: status(MPI_STATUS_SIZE)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    left = mod(rank + size - 1, size)
    right = mod(rank + 1, size)
    value = rank
    call MPI_Recv(value, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, status, error) ! @receive
    call MPI_Send(value, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
    print '(a, i0)', 'finished ', rank
end program
