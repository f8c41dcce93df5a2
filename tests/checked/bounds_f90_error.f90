! Arrays of Fortran that are shorter than the calls say: buffers, and lists of statuses.
!
!   ranks: 2
!   find: error | invalid argument | 0 1 | MPI_Bcast LINE(whole)
!   find: error | invalid argument | 0 1 | MPI_Bcast LINE(rest)
!   find: error | invalid argument | 0 1 | MPI_Bcast LINE(module)
!   find: error | invalid argument | 0 | MPI_Send LINE(send)
!   find: warning | invalid argument | 1 | MPI_Recv LINE(receive)
!   find: error | invalid argument | 0 1 | MPI_Waitall LINE(statuses)
module shared_data
  implicit none
  integer :: steps(5), short(3)
end module

program bounds
  use mpi
  use shared_data
  implicit none
  real(8) :: matrix(6, 6)
  integer :: list(-2:3)
  integer :: numbers(10), more(20)
  integer :: statuses(MPI_STATUS_SIZE, 3)
  integer :: requests(2), rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  matrix = 0
  list = 0
  numbers = 0
  more = 0
  steps = 0
  call MPI_Bcast(matrix, 37, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)  ! @whole
  call MPI_Bcast(list(1), 4, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)  ! @rest
  call MPI_Bcast(steps, 6, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)  ! @module
  if (rank == 0) then
     call MPI_Send(numbers, 12, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)  ! @send
     call MPI_Send(numbers, 10, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
  else
     call MPI_Recv(more, 12, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
     call MPI_Recv(numbers, 12, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @receive
  end if
  requests = MPI_REQUEST_NULL
  call last(requests, statuses)
  call MPI_Finalize(ierr)
contains
  subroutine last(requests, statuses)
    integer, intent(inout) :: requests(2), statuses(MPI_STATUS_SIZE, 3)
    integer :: own(MPI_STATUS_SIZE, 3)
    call MPI_Waitall(2, requests, statuses, ierr)
    call MPI_Waitall(1, requests, own(1, 3), ierr)
    call MPI_Waitall(2, requests, short, ierr)  ! @statuses
  end subroutine
end program
