! Variables that are not of the datatype that the call names.
!
!   ranks: 2
!   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(field)
!   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(big)
!   find: warning | wrong data type | 0 1 | MPI_Bcast LINE(member)
program declared
  use mpi_f08
  implicit none
  type cell
     integer :: id
     real(8) :: place(3)
  end type
  real(8), allocatable :: field(:, :)
  integer(8) :: big
  type(cell) :: cells(4)
  integer :: ierr
  call MPI_Init(ierr)
  allocate(field(4, 4))
  field = 0
  big = 0
  cells = cell(0, 0)
  call columns(field(1, 2))
  call number(big)
  call member(cells(2)%place)
  call MPI_Finalize(ierr)
contains
  subroutine member(place)
    real(8) :: place(:)
    call MPI_BCAST(place, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)  ! @member
  end subroutine
end program

subroutine columns(some)
  use mpi_f08
  implicit none
  real(8) :: some(*)
  integer :: ierr
  call MPI_Bcast(some, 4, &  ! @field
                 MPI_REAL, 0, MPI_COMM_WORLD, ierr)
end subroutine

subroutine number(big)
  use mpi_f08
  implicit none
  integer(8) :: big
  integer :: ierr
  call mpi_bcast(big, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)  ! @big
end subroutine
