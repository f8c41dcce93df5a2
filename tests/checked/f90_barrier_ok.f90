! Bindings of module mpi: a derived type, a nonblocking broadcast and a barrier.
!
!   ranks: 2
program main
    use mpi
    implicit none
    integer :: rank, ierror, column, request
    integer :: matrix(4, 4)

    matrix = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Type_vector(4, 1, 4, MPI_INTEGER, column, ierror)
    call MPI_Type_commit(column, ierror)
    call MPI_Ibcast(matrix, 1, column, 0, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Type_free(column, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
