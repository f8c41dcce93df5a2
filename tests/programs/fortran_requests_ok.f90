! MPI_Waitall on requests of Fortran code, of which one waits for a rank that computes.
!
! expect: none
! ranks: 2
! running: 1
! call: 0 MPI_Waitall LINE(wait)
program fortran_requests_ok
    use mpi
    implicit none
    integer :: rank, error, sent, pair, other, length, status
    integer :: received(2), requests(2)
    logical :: released
    character(len=1024) :: path

    call MPI_Init(error)
    call MPI_Comm_dup(MPI_COMM_WORLD, pair, error)
    call MPI_Comm_rank(pair, rank, error)
    other = 1 - rank
    sent = rank
    call MPI_Irecv(received(1), 1, MPI_INTEGER, other, 1, pair, requests(1), error)
    call MPI_Irecv(received(2), 1, MPI_INTEGER, other, 2, pair, requests(2), error)
    call MPI_Send(sent, 1, MPI_INTEGER, other, 1, pair, error)
    if (rank == 1) then
        call get_environment_variable('MQI_RELEASE', path, length, status)
        released = .false.
        do while (.not. released)
            call sleep(1)
            inquire (file=path(1:length), exist=released)
        end do
    end if
    call MPI_Send(sent, 1, MPI_INTEGER, other, 2, pair, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error) ! @wait
    call MPI_Finalize(error)
    print '(a, i0)', 'finished ', rank
end program
