! Process 0 sends integers, process 1 receives them.
!
!   ranks: 2
program main
    implicit none
    include 'mpif.h'
    integer :: rank, ierror, status(MPI_STATUS_SIZE)
    complex :: sent(3)
    integer :: received(3)

    sent = (1.0, 2.0)
    received = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 0) then
        call MPI_Send(received, 3, MPI_INTEGER, 1, 999, MPI_COMM_WORLD, ierror)
    else
        call MPI_Recv(received, 3, MPI_INTEGER, 0, 999, MPI_COMM_WORLD, status, ierror)
    end if
    call MPI_Finalize(ierror)
end program
