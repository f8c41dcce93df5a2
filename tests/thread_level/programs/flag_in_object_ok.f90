! A flag or number in an object of each thread, asked where it is, or handed on.
! required: MPI_THREAD_FUNNELED
module workers
    use mpi
    use omp_lib
    implicit none
    type worker
        integer :: id
        logical :: is_first
    end type
contains
    subroutine setup(w)
        type(worker), intent(out) :: w
        w%id = omp_get_thread_num()
        w%is_first = w%id == 0
    end subroutine

    subroutine by_flag(w)
        type(worker), intent(in) :: w
        integer :: error
        if (w%is_first) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine by_number(id)
        integer, intent(in) :: id
        integer :: error
        if (id == 0) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine by_value(is_first)
        logical, intent(in) :: is_first
        integer :: error
        if (.not. is_first) return
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine
end module

program flag_in_object
    use workers
    implicit none
    integer :: ierr, provided
    type(worker) :: w
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel private(w)
    call setup(w)
    call by_flag(w)
    call by_number(w%id)
    call by_value(w%is_first)
    if (w%is_first) then
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end if
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
