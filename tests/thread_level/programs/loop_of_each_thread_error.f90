! Each thread goes through a loop over communicators by itself, so that two of them may be at one of
! those at the same time.
! required: MPI_THREAD_MULTIPLE
program loop_of_each_thread
    use mpi
    use omp_lib
    implicit none
    integer :: ierr, provided, j, n, comms(4)
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    do j = 1, 4
        call MPI_Comm_dup(MPI_COMM_WORLD, comms(j), ierr)
    end do
    n = 4
    !$omp parallel private(ierr, j)
    do j = 1, n
        call MPI_Barrier(comms(j), ierr)  ! expect: mpi-concurrent-collectives
    end do
    !$omp end parallel
    call MPI_Finalize(ierr)
end program loop_of_each_thread
