! Allocated arrays that are shorter than the calls say.
!
!   ranks: 2
!   find: error | invalid argument | 0 | MPI_Send LINE(short)
!   find: error | invalid argument | 0 1 | MPI_Allreduce LINE(part)
program heap_arrays
    use mpi
    implicit none
    integer :: ierr, rank
    double precision, allocatable :: field(:), whole(:)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    allocate(field(100), whole(1000))
    field = rank
    if (rank == 0) then
        call MPI_Send(field, 200, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, ierr)  ! @short
    else
        call MPI_Recv(whole, 200, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Allreduce(field(51), whole, 60, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)  ! @part
    deallocate(field, whole)
    call MPI_Finalize(ierr)
end program heap_arrays
