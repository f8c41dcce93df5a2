! Offsets and displacements of the kinds that MPI has for them.
!
!   ranks: 2
program kinds
    implicit none
    include 'mpif.h'
    integer :: ierror, rank, file, window, indexed
    integer :: lengths(2)
    integer(kind=MPI_OFFSET_KIND) :: place
    integer(kind=MPI_ADDRESS_KIND) :: target_place, displacements(2)
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    integer :: memory(4), value

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    place = 0
    target_place = 0
    call MPI_File_open(MPI_COMM_WORLD, 'kinds_f90_ok.data', &
                       MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                       file, ierror)
    call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
    call MPI_File_close(file, ierror)

    lengths = 1
    displacements = 0
    call MPI_Type_create_hindexed(1, lengths, displacements, MPI_INTEGER, indexed, ierror)
    call MPI_Type_free(indexed, ierror)

    memory = 0
    value = rank
    bytes = 16
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
    call MPI_Win_fence(0, window, ierror)
    call MPI_Put(value, 1, MPI_INTEGER, 1 - rank, target_place, 1, MPI_INTEGER, window, ierror)
    call MPI_Win_fence(0, window, ierror)
    call MPI_Win_free(window, ierror)
    call MPI_Finalize(ierror)
end program kinds
