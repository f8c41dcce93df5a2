! MPI_Waitall on requests of Fortran code: each of two ranks receives what the other one would
! send later, on a communicator of their own.
!
! expect: deadlock
! ranks: 2
! core: 0 1
! wait: 0 all 1 MPI_Waitall LINE(wait)
! wait: 1 all 0 MPI_Waitall LINE(wait)
program fortran_requests_deadlock
    use mpi
    implicit none
    integer :: rank, error, sent, pair, other
    integer :: received(2), requests(2)

    call MPI_Init(error)
    call MPI_Comm_dup(MPI_COMM_WORLD, pair, error)
    call MPI_Comm_rank(pair, rank, error)
    other = 1 - rank
    sent = rank
    call MPI_Irecv(received(1), 1, MPI_INTEGER, other, 1, pair, requests(1), error)
    call MPI_Irecv(received(2), 1, MPI_INTEGER, other, 2, pair, requests(2), error)
    call MPI_Send(sent, 1, MPI_INTEGER, other, 1, pair, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error) ! @wait
    call MPI_Send(sent, 1, MPI_INTEGER, other, 2, pair, error)
    call MPI_Finalize(error)
    print '(a, i0)', 'finished ', rank
end program
