! Variables that are as the calls say, or that arguments may go on behind (COMMON, sequence
! association).
!
!   ranks: 2
program declared
  use mpi_f08
  implicit none
  type cell
     integer :: id
     real(8) :: place(3)
  end type
  type grid
     integer :: cells(3)
     real(8), allocatable :: values(:, :)
     real(8), pointer :: edge(:)
  end type
  real(8), allocatable :: field(:, :)
  type(grid) :: grids(2)
  integer :: first, second, ierr
  character(len=8) :: name
  type(cell) :: cells(4)
  common /both/ first, second
  call MPI_Init(ierr)
  allocate(field(4, 4), grids(2)%values(8, 8), grids(2)%edge(8))
  field = 0
  cells = cell(0, 0)
  first = 1
  second = 2
  name = 'name'
  call columns(field(1, 2))
  call member(cells(2)%place)
  call numbers(first)
  call text(name)
  call MPI_Bcast(grids(2)%values, 64, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(grids(2)%edge, 8, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine member(place)
    real(8) :: place(:)
    call mpi_bcast(place, 3, MPI_REAL8, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program

subroutine columns(some)
  use mpi_f08
  implicit none
  real(8) :: some(*)
  integer :: ierr
  call MPI_Bcast(some, 4, &  ! a column
                 MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
end subroutine

subroutine numbers(first)
  use mpi_f08
  implicit none
  integer :: first, ierr
  call MPI_Bcast(first, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
end subroutine

subroutine text(name)
  use mpi_f08
  implicit none
  character(len=*) :: name
  integer :: ierr
  call MPI_Bcast(name, 8, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
end subroutine
