! All threads but the first one come to a procedure that ends the program, as do threads of any team.
! required: MPI_THREAD_FUNNELED
module endings
    implicit none
contains
    subroutine finish(text)
        character(*), intent(in) :: text
        print *, text
        stop 1
    end subroutine
    subroutine abort_all(text)
        use mpi
        character(*), intent(in) :: text
        integer :: error
        print *, text
        call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end subroutine
    subroutine fail(text)
        character(*), intent(in) :: text
        if (len(text) > 3) then
            call finish(text)
        else
            call abort_all(text)
        end if
    end subroutine
    subroutine share(value)
        use omp_lib
        use mpi
        double precision, intent(in) :: value
        integer :: error
        if (omp_in_parallel()) call finish('share')
        call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, error)
    end subroutine
end module
program ended
    use omp_lib
    use mpi
    use endings
    implicit none
    integer :: provided, error, thread
    double precision :: value
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    value = 1
    call share(value)
    !$omp parallel
    if (value < 0) call share(value)
    !$omp end parallel
    !$omp parallel
    if (omp_get_thread_num() /= 0) call finish('thread')
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel
    if (omp_get_thread_num() > 0) call abort_all('thread')
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(thread)
    thread = omp_get_thread_num()
    if (thread /= 0) call fail('thread')
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 4, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(thread)
    if (omp_get_thread_num() /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 5, MPI_COMM_WORLD, error)
    !$omp end parallel
    call MPI_Finalize(error)
end program
