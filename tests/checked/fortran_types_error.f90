! Process 0 sends complex numbers, process 1 receives integers.
!
!   ranks: 2
!   find: error | wrong data type | 0 1 | MPI_Recv LINE(recv)
!   may: abend
!   may: abort
!   may: MPI error
!   may: incomplete call
!   may: potential hang-up
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
        call MPI_Send(sent, 3, MPI_COMPLEX, 1, 999, MPI_COMM_WORLD, ierror)
    else
        call MPI_Recv(received, 3, MPI_INTEGER, 0, 999, MPI_COMM_WORLD, status, ierror)  ! @recv
    end if
    call MPI_Finalize(ierror)
end program
