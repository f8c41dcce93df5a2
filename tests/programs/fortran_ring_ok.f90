! A ring of receives in Fortran whose rank 0 sends first, but computes before that.
! The others wait for it in a subroutine, with Waitall.
!
! expect: none
! ranks: 2
! running: 0
! call: 1 MPI_Waitall LINE(wait)
module neighbours
    use mpi
    implicit none
contains
    subroutine receive_from(source, value)
        integer, intent(in) :: source
        integer, intent(out) :: value
        integer :: requests(1), error

        call MPI_Irecv(value, 1, MPI_INTEGER, source, 0, MPI_COMM_WORLD, requests(1), error)
        call MPI_Waitall(1, requests, MPI_STATUSES_IGNORE, error) ! @wait
    end subroutine

    subroutine compute_until_released()
        character(len=4096) :: path
        logical :: released

        call get_environment_variable('MQI_RELEASE', path)
        released = .false.
        do while (.not. released)
            inquire(file=trim(path), exist=released)
        end do
    end subroutine
end module

program fortran_ring_ok
    use neighbours
    implicit none
    integer :: rank, size, error, value, left, right

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    left = mod(rank + size - 1, size)
    right = mod(rank + 1, size)
    value = rank
    if (rank == 0) then
        call compute_until_released()
        call MPI_Send(value, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    end if
    call receive_from(left, value)
    if (rank /= 0) call MPI_Send(value, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
    print '(a, i0)', 'finished ', rank
end program
