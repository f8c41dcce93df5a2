! The number of the thread is handed over, and how many there are: a comparison of the two is for
! one of them.
! required: MPI_THREAD_SERIALIZED
module parts
    use mpi
    implicit none
contains
    subroutine finish(thread, threads)
        integer, intent(in) :: thread, threads
        integer :: ierr
        if (thread == threads - 1) call MPI_Send(thread, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
    end subroutine

    subroutine step(threads, thread)
        integer, intent(in) :: threads, thread
        call finish(thread, threads)
    end subroutine
end module

program last_handed
    use omp_lib
    use parts
    implicit none
    integer :: provided, ierr, thread, threads
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel private(thread, threads)
    thread = omp_get_thread_num()
    threads = omp_get_num_threads()
    call step(threads, thread)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
