! MPI_Init where teams have one thread, MPI_Init_thread where they have more.
! required: MPI_THREAD_SERIALIZED
program init_by_threads
    use mpi
    use omp_lib
    implicit none
    integer :: threads, provided, ierr
    threads = 1
    !$omp parallel
    !$omp single
    threads = omp_get_num_threads()
    !$omp end single
    !$omp end parallel
    if (threads > 1) then
        call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
        if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    else
        call MPI_Init(ierr)
    end if
    !$omp parallel
    !$omp single
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end single
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
