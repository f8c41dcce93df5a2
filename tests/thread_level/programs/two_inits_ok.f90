! MPI_Init where teams have one thread, which the program is told in a file.
! required: MPI_THREAD_FUNNELED
program two_inits
    use mpi
    use omp_lib
    implicit none
    integer :: ierr, provided, threads
    open(10, file='threads.txt')
    read(10, *) threads
    call omp_set_num_threads(threads)
    if (threads > 1) then
        call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
        if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    else
        call MPI_Init(ierr)
    end if
    !$omp parallel
    !$omp master
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end master
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
