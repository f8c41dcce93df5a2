! Copies that each thread sets itself, or that one thread uses; numbers of a loop are no copies.
! required: MPI_THREAD_MULTIPLE
program copied_handle_ok
    use mpi
    use omp_lib
    implicit none
    integer :: provided, ierror, comm, request, value, i
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    request = MPI_REQUEST_NULL
    !$omp parallel firstprivate(comm, request) private(ierror, value)
    !$omp single
    call MPI_Barrier(comm, ierror)
    !$omp end single
    call MPI_Irecv(value, 1, MPI_INTEGER, 0, omp_get_thread_num(), comm, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    !$omp do
    do i = 0, 7
        call MPI_Send(i, 1, MPI_INTEGER, 0, i, comm, ierror)
    end do
    !$omp end do
    !$omp end parallel
    call MPI_Finalize(ierror)
end program
