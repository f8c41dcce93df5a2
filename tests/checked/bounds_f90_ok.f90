! Arrays of Fortran that are long enough, or that go on where they are not declared to: COMMON,
! EQUIVALENCE, dummies, and what is allocated.
!
!   ranks: 2
module shared_data
  implicit none
  integer :: steps(5)
  integer :: left(4), right(4)
  equivalence (left(3), right(1))
  integer :: head(2), tail(6)
  common /one_block/ head, tail
end module

program bounds
  use mpi
  use shared_data
  implicit none
  real(8) :: matrix(6, 6)
  integer :: list(-2:3), front(4), back(8)
  equivalence (front(3), back(1))
  integer :: first(2), second(3)
  common /block/ first, second
  integer, allocatable :: values(:)
  character(len=10) :: name
  integer :: statuses(MPI_STATUS_SIZE, 3), status(MPI_STATUS_SIZE)
  integer :: requests(2), ierr
  call MPI_Init(ierr)
  matrix = 0
  list = 0
  steps = 0
  front = 0
  back = 0
  left = 0
  right = 0
  head = 0
  tail = 0
  first = 0
  second = 0
  name = 'name'
  allocate(values(20))
  values = 0
  call MPI_Bcast(matrix, 36, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(matrix(1, 2), 30, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(matrix(2, :), 6, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(list, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(list(1), 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(steps, 5, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(front, 10, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(left, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(head, 8, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(first, 5, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(name, 10, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(values, 20, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call column(matrix(1, 3))
  requests = MPI_REQUEST_NULL
  call MPI_Waitall(2, requests, statuses(1, 2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Wait(requests(2), status, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine column(some)
    real(8) :: some(1)
    call MPI_Bcast(some, 6, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end program
