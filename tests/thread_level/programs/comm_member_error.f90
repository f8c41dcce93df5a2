! A solver has a communicator of its own, but all threads have one solver.
! required: MPI_THREAD_MULTIPLE
module solvers
  use mpi
  implicit none
  type solver
    integer :: comm
  end type
contains
  subroutine make(this)
    type(solver), intent(out) :: this
    integer :: ierr
    call MPI_Comm_dup(MPI_COMM_WORLD, this%comm, ierr)
  end subroutine
  subroutine sum_up(this, value)
    type(solver), intent(in) :: this
    real(8), intent(inout) :: value
    integer :: ierr
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_REAL8, MPI_SUM, this%comm, ierr) ! expect: mpi-concurrent-collectives
  end subroutine
end module

program main
  use solvers
  implicit none
  type(solver) :: one
  integer :: i, provided, ierr
  real(8) :: values(100)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) stop 1
  call make(one)
  values = 1
  !$omp parallel do
  do i = 1, 100
    call sum_up(one, values(i))
  end do
  !$omp end parallel do
  call MPI_Finalize(ierr)
end program
