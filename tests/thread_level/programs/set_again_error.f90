! Several threads have the number that is set again, or what another thread has; and the number of the thread
! that communicates is read, or comes by a message.
! required: MPI_THREAD_MULTIPLE
module settings
    implicit none
    integer :: speaker = 0, listener = 0
end module
program again
    use omp_lib
    use mpi
    use settings
    implicit none
    integer :: provided, error, thread
    logical :: first, is_alone
    double precision :: value
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    value = 1
    read *, is_alone, speaker
    call MPI_Bcast(listener, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    !$omp parallel private(thread)
    thread = omp_get_thread_num()
    if (is_alone) thread = 0
    if (thread == 0) & ! expect: mpi-thread-level
        call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(first)
    first = omp_get_thread_num() == 0
    if (is_alone) first = .true.
    if (first) call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end parallel
    !$omp parallel
    if (omp_get_thread_num() == speaker) & ! expect: mpi-thread-level
        call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel
    if (omp_get_thread_num() == listener) & ! expect: mpi-thread-level
        call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 4, MPI_COMM_WORLD, error)
    !$omp end parallel
    call MPI_Finalize(error)
end program
