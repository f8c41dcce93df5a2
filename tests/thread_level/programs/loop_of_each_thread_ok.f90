! Loops over communicators of which each thread has rounds of its own.
! required: MPI_THREAD_MULTIPLE
program loop_of_each_thread
    use mpi
    use omp_lib
    implicit none
    integer :: ierr, provided, j, me, threads, comms(4)
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    do j = 1, 4
        call MPI_Comm_dup(MPI_COMM_WORLD, comms(j), ierr)
    end do
    !$omp parallel private(ierr, j, me, threads)
    me = omp_get_thread_num()
    threads = omp_get_num_threads()
    do j = me + 1, 4, threads
        call MPI_Barrier(comms(j), ierr)
    end do
    do j = 1, 4
        if (mod(j - 1, threads) /= me) cycle
        call MPI_Barrier(comms(j), ierr)
    end do
    !$omp end parallel
    !$omp parallel do private(ierr)
    do j = 1, 4
        call MPI_Barrier(comms(j), ierr)
    end do
    !$omp end parallel do
    call MPI_Finalize(ierr)
end program loop_of_each_thread
