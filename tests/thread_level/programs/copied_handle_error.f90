! Copies of a communicator or a request, one for each thread, are of one and the same.
! required: MPI_THREAD_MULTIPLE
program copied_handle_error
    use mpi
    implicit none
    integer :: provided, ierror, comm, request, mine, value
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    !$omp parallel firstprivate(comm) private(ierror)
    call MPI_Barrier(comm, ierror) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    call MPI_Irecv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request, ierror)
    !$omp parallel firstprivate(request) private(ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror) ! expect: mpi-concurrent-request
    !$omp end parallel
    call MPI_Comm_free(comm, ierror)
    !$omp parallel private(comm, ierror)
    !$omp single
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    !$omp end single copyprivate(comm)
    call MPI_Barrier(comm, ierror) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    call MPI_Finalize(ierror)
end program
