! What gives up aborts, and would end MPI behind that.
! required: MPI_THREAD_FUNNELED
subroutine give_up
    use mpi
    integer :: error
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
    call MPI_Finalize(error)
end subroutine

subroutine synchronize(comm)
    use mpi
    integer :: comm, error
    call MPI_Barrier(comm, error)
    if (error /= MPI_SUCCESS) call give_up
end subroutine

program abort_before_finalize
    use mpi
    implicit none
    integer :: ierr, provided
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel
    !$omp master
    call synchronize(MPI_COMM_WORLD)
    !$omp end master
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
