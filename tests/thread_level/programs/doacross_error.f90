! Iterations wait for one that is further away.
! required: MPI_THREAD_MULTIPLE
program doacross
    use mpi
    implicit none
    integer :: values(100), i, provided, ierror
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
    if (provided < MPI_THREAD_SERIALIZED) stop 1
    values = 0
!$omp parallel do ordered(1)
    do i = 4, 100
!$omp ordered depend(sink: i - 3)
        call MPI_Send(values(i), 1, MPI_INTEGER, 0, i, MPI_COMM_SELF, ierror) ! expect: mpi-thread-level
!$omp ordered depend(source)
    end do
    call MPI_Finalize(ierror)
end program
