! Rank 0 sends more than rank 1 has room for.
!
!   ranks: 2
!   find: error | wrong send size | 0 1 | MPI_Recv LINE(recv)
!   may: abend
!   may: abort
!   may: MPI error
!   may: incomplete call
!   may: potential hang-up
!   may: real hang-up
program main
    use mpi_f08
    implicit none
    integer :: rank
    double precision :: values(4)
    type(MPI_Request) :: request
    type(MPI_Status) :: status

    values = 1
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) then
        call MPI_Isend(values, 4, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request)
        call MPI_Wait(request, MPI_STATUS_IGNORE)
    else
        call MPI_Recv(values, 2, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, status)  ! @recv
    end if
    call MPI_Finalize()
end program
