! Where there is no team, and for the master, 0 is the number of the thread.
! required: MPI_THREAD_FUNNELED
module broadcasts
    use mpi
    use omp_lib
    implicit none
contains
    subroutine sync(me)
        integer, intent(in) :: me
        integer :: error
        if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine hand_down(me)
        integer, intent(in) :: me
        call sync(me)
    end subroutine

    subroutine sync_if(is_master)
        logical, intent(in) :: is_master
        integer :: error
        if (is_master) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine
end module

program zero_handed
    use broadcasts
    implicit none
    integer :: ierr, provided, me
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call sync(0)
    call sync_if(.true.)
    me = command_argument_count()
    call sync(me)
    call hand_down(me)
    !$omp parallel private(me)
    me = omp_get_thread_num()
    call sync(me)
    call sync_if(me == 0)
    !$omp master
    call sync(0)
    !$omp end master
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
