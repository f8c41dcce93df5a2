! The variable of the module that is looked at has no level in it.
! required: MPI_THREAD_MULTIPLE
module levels
  use mpi
  implicit none
  integer :: thread_level, other_level, thread_multiple
contains
  subroutine start
    integer :: ierr
    thread_multiple = MPI_THREAD_MULTIPLE
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, thread_level, ierr)
    if (thread_level < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, other_level, ierr)
  end subroutine start
end module levels

program p
  use levels
  implicit none
  integer :: ierr, i, status(MPI_STATUS_SIZE)
  real :: value(8)
  call start
  !$omp parallel private(ierr, status)
  if (other_level == thread_multiple) then
    !$omp do schedule(static, 1)
    do i = 1, 8
      call MPI_Recv(value(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, status, ierr) ! expect: mpi-thread-level
    end do
    !$omp end do nowait
  end if
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
