! Rank 0 sends what rank 1 has room for, with the bindings of mpi_f08.
!
!   ranks: 2
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
        call MPI_Recv(values, 4, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, status)
    end if
    call MPI_Finalize()
end program
