! Flags and levels that decide on calls of MPI come by other procedures, or are computed of arguments on
! the way: threads of teams hand over what does not lead there. ways: all
! required: MPI_THREAD_FUNNELED
module steps
  use mpi
  implicit none
contains
  ! It is left out, or false.
  subroutine finish(flag)
    logical, intent(in), optional :: flag
    logical :: is_last
    integer :: ierror
    is_last = .false.
    if (present(flag)) is_last = flag
    if (is_last) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  subroutine close_all(flag)
    logical, intent(in), optional :: flag
    call finish(flag)
  end subroutine
  subroutine close_group(flag)
    logical, intent(in), optional :: flag
    call close_all(flag)
  end subroutine
  ! The same, handed on as a flag that is never left out.
  subroutine choose(flag)
    logical, intent(in), optional :: flag
    logical :: is_last
    if (present(flag)) then
      is_last = flag
    else
      is_last = .false.
    end if
    call wait_if(is_last)
  end subroutine
  subroutine wait_if(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  ! Compared by order.
  subroutine report(level)
    integer, intent(in) :: level
    integer :: ierror
    if (level > 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  ! Flags of a level.
  subroutine print_above(level)
    integer, intent(in) :: level
    logical :: is_told
    is_told = level > 1
    call tell(is_told)
  end subroutine
  subroutine print_equal(level)
    integer, intent(in) :: level
    call tell(level == 2)
    call tell(.not. level /= 3)
  end subroutine
  subroutine print_below(level)
    integer, intent(in) :: level
    call tell_unless(level <= 1)
  end subroutine
  subroutine tell(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  subroutine tell_unless(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (.not. flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  ! No call hands over both.
  subroutine reduce(flag, mode)
    logical, intent(in) :: flag
    integer, intent(in) :: mode
    integer :: ierror
    if (flag .and. mode == 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  subroutine exchange(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
end module
program main
  use steps
  implicit none
  integer :: ierror, provided
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call finish(.true.)
  call close_group(.true.)
  call choose(.true.)
  call report(2)
  call print_above(2)
  call print_equal(2)
  call print_below(2)
  call reduce(.true., 1)
  call drive(.false.)
  !$omp parallel
  call finish()
  call close_all(.false.)
  call close_group()
  call choose()
  call choose(.false.)
  call report(1)
  call print_above(1)
  call print_equal(1)
  call print_below(0)
  call reduce(.false., 1)
  call reduce(.true., 0)
  !$omp master
  call close_group(.true.)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierror)
contains
  ! The region is in what is handed the flag.
  subroutine drive(flag)
    logical, intent(in) :: flag
    !$omp parallel
    call exchange(flag)
    !$omp end parallel
  end subroutine
end program
