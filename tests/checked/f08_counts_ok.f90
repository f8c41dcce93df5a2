! Exchanges whose counts, displacements and datatypes are given with the bindings of mpi_f08; what
! the bindings make of them for the library is theirs.
!
!   ranks: 2
program main
    use mpi_f08
    implicit none
    integer :: rank, step, i
    integer :: out(2), in(2), counts(2), places(2), bytes(2)
    integer, allocatable :: other(:)
    type(MPI_Datatype) :: types(2)
    type(MPI_Request) :: request

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    out = rank
    do step = 1, 2
        counts = 1
        places = [0, 1]
        bytes = [0, 4]
        types = MPI_INTEGER
        call MPI_Ialltoallw(out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD, request)
        other = [(i, i = 1, 1000)]
        call MPI_Wait(request, MPI_STATUS_IGNORE)
        types = MPI_REAL
        call MPI_Ialltoallv(out, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, &
                            MPI_COMM_WORLD, request)
        other = [(i, i = 1, 2000)]
        call MPI_Wait(request, MPI_STATUS_IGNORE)
        places = 0
    end do
    if (sum(other) < 0 .or. sum(in) < 0) print *, other
    call MPI_Finalize()
end program
