! A ring of messages by way of mpif.h, for the tests of the recorder.
program ring
    implicit none

    include 'mpif.h'
    integer :: rank, size, error, out, in
    integer :: requests(2)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    out = rank
    call MPI_Irecv(in, 1, MPI_INTEGER, mod(rank + size - 1, size), 5, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(out, 1, MPI_INTEGER, mod(rank + 1, size), 5, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call MPI_Bcast(out, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program ring
