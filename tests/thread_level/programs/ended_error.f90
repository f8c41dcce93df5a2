! The procedure may return, or it is the first thread that comes to it.
! required: MPI_THREAD_MULTIPLE
module endings
    implicit none
    logical :: is_fatal = .true.
contains
    subroutine finish(text)
        character(*), intent(in) :: text
        print *, text
        stop 1
    end subroutine
    subroutine warn(text)
        character(*), intent(in) :: text
        if (is_fatal) stop 1
        print *, text
    end subroutine
    subroutine compute(text)
        character(*), intent(in) :: text
        print *, text
    end subroutine
end module
program ended
    use omp_lib
    use mpi
    use endings
    implicit none
    integer :: provided, error
    double precision :: value
    read *, is_fatal
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    value = 1
    !$omp parallel
    if (omp_get_thread_num() /= 0) call warn('thread')
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end parallel
    !$omp parallel
    if (omp_get_thread_num() /= 0) call compute('thread')
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end parallel
    !$omp parallel
    if (omp_get_thread_num() == 0) call finish('thread')
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 4, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end parallel
    call MPI_Finalize(error)
end program
