! A send behind the point where the turn is given to the next thread.
! required: MPI_THREAD_MULTIPLE
module lock_control
  use omp_lib
  implicit none
  include 'mpif.h'
  logical :: use_lock
  integer :: nthreads, provided, wanted
  integer(omp_lock_kind), allocatable :: locks(:)
contains
  subroutine start
    integer :: ierr
    wanted = MPI_THREAD_SERIALIZED
    call MPI_Init_thread(wanted, provided, ierr)
    if (provided < wanted) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    nthreads = omp_get_max_threads()
    use_lock = nthreads > 1 .and. provided /= MPI_THREAD_MULTIPLE
    call operate('init', nthreads)
  end subroutine start

  subroutine operate(what, number)
    character(len=*), intent(in) :: what
    integer, intent(in) :: number
    integer :: i
    select case (what)
    case ('init')
      allocate (locks(number))
      do i = 1, number
        call omp_init_lock(locks(i))
      end do
    case ('set')
      call omp_set_lock(locks(number))
    case ('unset')
      call omp_unset_lock(locks(number))
    case default
      return
    end select
  end subroutine operate

  ! Each thread but the last holds back its neighbour until it is done.
  subroutine take_turns(what, thread)
    character(len=*), intent(in) :: what
    integer, intent(in) :: thread
    select case (what)
    case ('set')
      !$omp barrier
      if (thread < nthreads) call operate('set', thread + 1)
      !$omp barrier
      call operate('set', thread)
    case ('unset')
      if (thread < nthreads) call operate('unset', thread + 1)
      call operate('unset', thread)
    end select
  end subroutine take_turns
end module lock_control

module boundary
  use lock_control
  implicit none
contains
  subroutine receive(value, from, tag)
    real, intent(out) :: value(10)
    integer, intent(in) :: from, tag
    integer :: ierr, status(MPI_STATUS_SIZE), rank
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr) ! expect: mpi-thread-level
    if (from == rank) return
    call MPI_Recv(value, 10, MPI_REAL, from, tag, MPI_COMM_WORLD, status, ierr)
  end subroutine receive

  subroutine receive_in_turn(value, from, tag, thread)
    real, intent(out) :: value(10)
    integer, intent(in) :: from, tag, thread
    if (use_lock) call take_turns('set', thread)
    if (use_lock) call take_turns('unset', thread)
    call receive(value, from, tag)
  end subroutine receive_in_turn

  subroutine send_in_turn(value, to, tag, thread)
    real, intent(in) :: value(10)
    integer, intent(in) :: to, tag, thread
    integer :: ierr
    if (use_lock) call take_turns('set', thread)
    call MPI_Send(value, 10, MPI_REAL, to, tag, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
    if (use_lock) call take_turns('unset', thread)
  end subroutine send_in_turn
end module boundary

program p
  use boundary
  implicit none
  integer :: ierr, thread, step
  real :: value(10)
  call start
  !$omp parallel private(thread, value, step)
  thread = omp_get_thread_num() + 1
  do step = 1, 5
    call receive_in_turn(value, 0, thread, thread)
    value = value + 1
    call send_in_turn(value, 0, thread, thread)
  end do
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
