! The exchange of the next step may begin while this one is not done.
! required: MPI_THREAD_MULTIPLE
program nowaits
    use mpi_f08
    implicit none
    integer :: provided, step, i
    real :: field(0:101)
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1)
    field = 0
!$omp parallel private(step)
    do step = 1, 10
!$omp single
        call MPI_Sendrecv_replace(field(0), 1, MPI_REAL, 0, 1, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! expect: mpi-thread-level
!$omp end single nowait
!$omp do
        do i = 1, 100
            field(i) = field(i) + 1
        end do
!$omp end do nowait
    end do
!$omp end parallel
    call MPI_Finalize()
end program
