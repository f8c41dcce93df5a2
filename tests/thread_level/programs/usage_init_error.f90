! Without a file of input, what is there by default is computed.
! required: MPI_THREAD_FUNNELED
program usage
    use mpi
    implicit none
    integer :: error, provided, rank
    if (command_argument_count() < 1) then
        call MPI_Init(error)
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
        if (rank == 0) print *, 'no file'
    else
        call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
        if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end if
    !$omp parallel ! expect: mpi-strict-single
    !$omp master
    call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end master
    !$omp end parallel
    call MPI_Finalize(error)
end program
