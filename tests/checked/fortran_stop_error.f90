! Rank 1 stops without MPI_Finalize: what ends it is its own line, not the runtime library's.
!
!   ranks: 2
!   find: error | missing finalize | 1 | LINE(stop)
!   may: incomplete gop
!   may: incomplete call
!   may: real hang-up
program main
    use mpi
    implicit none
    integer :: rank, ierror

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 1) stop ! @stop
    call MPI_Finalize(ierror)
end program
