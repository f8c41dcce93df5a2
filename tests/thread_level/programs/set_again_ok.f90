! The number is set where there is no other thread, to what no thread has, or on the other side.
! required: MPI_THREAD_FUNNELED
program again
    use omp_lib
    use mpi
    implicit none
    integer :: provided, error, thread
    logical :: first, is_quiet
    double precision :: value
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    value = 1
    read *, is_quiet
    !$omp parallel private(thread)
    if (omp_in_parallel()) then
        thread = omp_get_thread_num()
    else
        thread = 0
    end if
    if (thread == 0) call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(thread)
    thread = omp_get_thread_num()
    if (is_quiet) thread = -1
    if (thread == 0) call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(first)
    first = omp_get_thread_num() == 0
    if (is_quiet) first = .false.
    if (first) call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, error)
    !$omp end parallel
    call MPI_Finalize(error)
end program
