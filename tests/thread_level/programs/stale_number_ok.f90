! Each thread has its own number, whatever it had before.
! required: MPI_THREAD_FUNNELED
program stale_number
    use mpi
    use omp_lib
    implicit none
    integer, save :: copied = 0, outside = 0
    !$omp threadprivate(copied, outside)
    integer :: ierr, provided
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    outside = omp_get_thread_num()
    if (outside == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp parallel copyin(copied) private(ierr)
    copied = omp_get_thread_num()
    outside = omp_get_thread_num()
    if (copied == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (outside == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
