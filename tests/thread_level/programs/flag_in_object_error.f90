! What is in the object says nothing of one thread.
! required: MPI_THREAD_MULTIPLE
module workers
    use mpi
    use omp_lib
    implicit none
    type worker
        integer :: id
        logical :: is_first
        logical :: is_other
    end type
contains
    subroutine setup(w, more)
        type(worker), intent(out) :: w
        logical, intent(in) :: more
        w%id = omp_get_thread_num()
        w%is_first = w%id == 0 .or. more
        w%is_other = w%id > 0
    end subroutine

    subroutine by_flag(w)
        type(worker), intent(in) :: w
        integer :: error
        if (w%is_first) call MPI_Barrier(MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
    end subroutine

    subroutine others(id)
        integer, intent(in) :: id
        integer :: error
        if (id /= 0) call MPI_Barrier(MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
    end subroutine

    subroutine by_value(is_other)
        logical, intent(in) :: is_other
        integer :: error
        if (.not. is_other) return
        call MPI_Barrier(MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
    end subroutine
end module

program flag_in_object
    use workers
    implicit none
    integer :: ierr, provided
    type(worker) :: w
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel private(w)
    call setup(w, command_argument_count() > 0)
    call by_flag(w)
    !$omp barrier
    call others(w%id)
    !$omp barrier
    call by_value(w%is_other)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
