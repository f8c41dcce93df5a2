! Functions and type-bound ones that return a component of an object which threads share.
! required: MPI_THREAD_MULTIPLE
module parts
  implicit none
  type part
    integer :: up, down
  contains
    procedure :: below
  end type
contains
  integer function below(this)
    class(part), intent(in) :: this
    below = this%down
  end function
  integer function above(one)
    type(part), intent(in) :: one
    above = one%up
  end function
end module

program shared_peer
  use mpi
  use parts
  implicit none
  integer :: provided, ierr
  real :: values(4)
  type(part) :: mine
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  mine%up = 1
  mine%down = 2
  !$omp parallel private(ierr)
  call MPI_Send(values, 4, MPI_REAL, above(mine), 1, MPI_COMM_WORLD, ierr) ! expect: mpi-message-order
  !$omp barrier
  call MPI_Send(values, 4, MPI_REAL, mine%below(), 2, MPI_COMM_WORLD, ierr) ! expect: mpi-message-order
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
