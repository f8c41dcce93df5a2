! Iterations wait for the one before.
! required: MPI_THREAD_SERIALIZED
program doacross
    use mpi
    implicit none
    integer :: values(100), i, provided, ierror
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
    if (provided < MPI_THREAD_SERIALIZED) stop 1
    values = 0
!$omp parallel do ordered(1)
    do i = 2, 100
!$omp ordered depend(sink: i - 1)
        call MPI_Bcast(values(i), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
!$omp ordered depend(source)
    end do
    call MPI_Finalize(ierror)
end program
