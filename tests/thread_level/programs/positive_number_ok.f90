! The number of a thread is not below 0: what is not above 0 is for thread 0.
! required: MPI_THREAD_FUNNELED
module exchange
    use mpi
    use omp_lib
    implicit none
    integer, save :: thread = 0
    !$omp threadprivate(thread)
contains
    subroutine by_argument(ith)
        integer, intent(in) :: ith
        integer :: error
        if (ith > 0) return
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine by_order(ith, n)
        integer, intent(in) :: ith, n
        integer :: error
        if (ith < 1 .and. n > 0) call MPI_Barrier(MPI_COMM_WORLD, error)
        if (ith <= 0) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine from_one(tpi)
        integer, intent(in) :: tpi
        integer :: error
        if (tpi < 2) call MPI_Barrier(MPI_COMM_WORLD, error)
        if (tpi > 1) return
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine by_variable
        integer :: error
        if (thread > 0) return
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine
end module

program positive_number
    use exchange
    implicit none
    integer :: ierr, provided, me
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel private(me)
    me = omp_get_thread_num()
    thread = me
    call by_argument(me)
    call by_order(me, 3)
    call by_variable
    call from_one(me + 1)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
