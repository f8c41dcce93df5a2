! What each thread keeps of its number, it hands on.
! required: MPI_THREAD_FUNNELED
module threads
    use mpi
    use omp_lib
    implicit none
    integer, save :: thread = 0
    logical, save :: is_first = .true.
    !$omp threadprivate(thread, is_first)
contains
    subroutine set_threads
        !$omp parallel
        thread = omp_get_thread_num()
        is_first = omp_get_thread_num() == 0
        !$omp end parallel
    end subroutine

    subroutine by_number(me)
        integer, intent(in) :: me
        integer :: error
        if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine by_value(me)
        integer, value :: me
        integer :: error
        if (me /= 0) return
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine by_flag(first)
        logical, intent(in) :: first
        integer :: error
        if (first) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine
end module

program kept_number_handed
    use threads
    implicit none
    integer :: ierr, provided, me
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call set_threads
    !$omp parallel private(me)
    call by_number(thread)
    call by_value(thread)
    call by_flag(is_first)
    call by_flag(thread == 0)
    me = thread
    call by_number(me)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
