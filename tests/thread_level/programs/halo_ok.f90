! One thread exchanges between worksharing constructs.
! required: MPI_THREAD_SERIALIZED
module halo
    use mpi_f08
    implicit none
    real :: field(0:101, 8)
contains
    subroutine exchange(comm)
        type(MPI_Comm), intent(in) :: comm
        type(MPI_Request) :: requests(2)
        integer :: i
!$omp single
        do i = 1, 2
            call MPI_Isend(field(i, 1), 1, MPI_REAL, 0, i, comm, requests(i))
        end do
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
!$omp end single
    end subroutine
end module
program workshare
    use halo
    implicit none
    integer :: provided, step, i
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1)
    field = 0
!$omp parallel private(step)
    do step = 1, 10
        call exchange(MPI_COMM_WORLD)
!$omp do
        do i = 1, 100
            field(i, 1) = field(i - 1, 1) + field(i + 1, 1)
        end do
!$omp end do
    end do
!$omp end parallel
    call MPI_Finalize()
end program
