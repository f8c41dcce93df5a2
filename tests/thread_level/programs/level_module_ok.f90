! What all threads call at a time, they call only if a variable of a module says that they may; else
! it is ordered, and a lock keeps the two loops apart.
! required: MPI_THREAD_SERIALIZED
module levels
  use mpi
  use omp_lib
  implicit none
  integer :: thread_level, thread_serialized, thread_multiple
  integer(omp_lock_kind) :: lock
contains
  subroutine start
    integer :: ierr
    thread_serialized = MPI_THREAD_SERIALIZED
    thread_multiple = MPI_THREAD_MULTIPLE
    call MPI_Init_thread(thread_serialized, thread_level, ierr)
    call omp_init_lock(lock)
  end subroutine start
  subroutine operate(what)
    character(len=*), intent(in) :: what
    select case (what)
    case ('set')
      call omp_set_lock(lock)
    case ('unset')
      call omp_unset_lock(lock)
    end select
  end subroutine operate
end module levels

program p
  use levels
  implicit none
  integer :: ierr, i, status(MPI_STATUS_SIZE)
  real :: value(8)
  logical :: use_lock
  call start
  use_lock = omp_get_max_threads() > 1 .and. thread_level /= thread_multiple
  !$omp parallel private(ierr, status)
  if (thread_level == thread_multiple) then
    !$omp do schedule(static, 1)
    do i = 1, 8
      call MPI_Recv(value(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, status, ierr)
    end do
    !$omp end do nowait
  else
    !$omp do schedule(static, 1) ordered
    do i = 1, 8
      if (i == 1 .and. use_lock) call operate('set')
      !$omp ordered
      call MPI_Recv(value(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, status, ierr) ! expect: mpi-conditional-lock
      !$omp end ordered
      if (i == 8 .and. use_lock) call operate('unset')
    end do
    !$omp end do nowait
    !$omp do schedule(static, 1) ordered
    do i = 1, 8
      if (i == 1 .and. use_lock) call operate('set')
      !$omp ordered
      call MPI_Send(value(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, ierr)
      !$omp end ordered
      if (i == 8 .and. use_lock) call operate('unset')
    end do
    !$omp end do nowait
  end if
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
