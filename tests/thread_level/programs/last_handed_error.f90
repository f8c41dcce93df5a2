! What is handed over beside the number of the thread is another one for each thread.
! required: MPI_THREAD_MULTIPLE
module parts
    use mpi
    implicit none
contains
    subroutine finish(thread, number)
        integer, intent(in) :: thread, number
        integer :: ierr
        if (thread == number) then
            call MPI_Send(thread, 1, MPI_INTEGER, 0, thread, MPI_COMM_SELF, ierr) ! expect: mpi-thread-level
        end if
    end subroutine
end module

program last_handed
    use omp_lib
    use parts
    implicit none
    integer :: provided, ierr, thread, mine, count
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    count = 0
    !$omp parallel private(thread, mine)
    thread = omp_get_thread_num()
    !$omp atomic capture
    mine = count
    count = count + 1
    !$omp end atomic
    call finish(thread, mine)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
