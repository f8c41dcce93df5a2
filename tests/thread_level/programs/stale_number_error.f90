! Other threads than thread 0 have no number of their own: it is copied in, or set where they are
! not.
! required: MPI_THREAD_MULTIPLE
program stale_number
    use mpi
    use omp_lib
    implicit none
    integer, save :: copied = 0, outside = 0, by_master = 0
    !$omp threadprivate(copied, outside, by_master)
    integer :: ierr, provided
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    outside = omp_get_thread_num()
    !$omp parallel
    copied = omp_get_thread_num()
    !$omp master
    by_master = omp_get_thread_num()
    !$omp end master
    !$omp end parallel
    !$omp parallel copyin(copied) private(ierr)
    if (copied == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    !$omp parallel private(ierr)
    if (outside == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    !$omp parallel private(ierr)
    if (by_master == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
