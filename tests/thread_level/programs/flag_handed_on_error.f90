! Flags and levels that decide on calls of MPI come by other procedures, or are computed of arguments on
! the way: threads of teams hand over what leads there, or something else is in the flag. ways: all
! required: MPI_THREAD_MULTIPLE
module steps
  use mpi
  implicit none
contains
  ! One call of the team says so.
  subroutine finish(flag)
    logical, intent(in), optional :: flag
    logical :: is_last
    integer :: ierror
    is_last = .false.
    if (present(flag)) is_last = flag
    if (is_last) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine close_all(flag)
    logical, intent(in), optional :: flag
    call finish(flag)
  end subroutine
  subroutine close_group(flag)
    logical, intent(in), optional :: flag
    call close_all(flag)
  end subroutine
  ! It is true where it is left out.
  subroutine choose(flag)
    logical, intent(in), optional :: flag
    logical :: is_last
    if (present(flag)) then
      is_last = flag
    else
      is_last = .true.
    end if
    call wait_if(is_last)
  end subroutine
  subroutine wait_if(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! The team leaves it out.
  subroutine choose_not(flag)
    logical, intent(in), optional :: flag
    logical :: is_last
    if (present(flag)) then
      is_last = flag
    else
      is_last = .false.
    end if
    call wait_unless(is_last)
  end subroutine
  subroutine wait_unless(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (.not. flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine report(level)
    integer, intent(in) :: level
    integer :: ierror
    if (level > 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine report_below(level)
    integer, intent(in) :: level
    integer :: ierror
    if (level <= 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine print_above(level)
    integer, intent(in) :: level
    logical :: is_told
    is_told = level > 1
    call tell(is_told)
  end subroutine
  subroutine tell(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine print_equal(level)
    integer, intent(in) :: level
    call tell_equal(level == 2)
  end subroutine
  subroutine tell_equal(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine print_below(level)
    integer, intent(in) :: level
    call tell_unless(level <= 1)
  end subroutine
  subroutine tell_unless(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (.not. flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! The flag is set again.
  subroutine print_more(level, more)
    integer, intent(in) :: level, more
    logical :: is_told
    is_told = level > 1
    if (more > 5) is_told = .true.
    call tell_more(is_told)
  end subroutine
  subroutine tell_more(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine print_copied(level, more)
    integer, intent(in) :: level, more
    logical :: is_told, is_copied
    is_told = level > 1
    if (more > 5) is_told = .true.
    is_copied = is_told
    call tell_copied(is_copied)
  end subroutine
  subroutine tell_copied(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! The level is another one by then.
  subroutine print_raised(level)
    integer, intent(inout) :: level
    logical :: is_told
    level = level + 1
    is_told = level > 1
    call tell_raised(is_told)
  end subroutine
  subroutine tell_raised(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! Two conditions that are not one inside the other: each has a call that it holds for.
  subroutine reduce(flag, mode)
    logical, intent(in) :: flag
    integer, intent(in) :: mode
    integer :: ierror
    if (flag .or. mode == 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! One call hands over both.
  subroutine gather(flag, mode)
    logical, intent(in) :: flag
    integer, intent(in) :: mode
    integer :: ierror
    if (flag .and. mode == 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine exchange(flag)
    logical, intent(in) :: flag
    integer :: ierror
    if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! The same procedure is called without the condition, too.
  subroutine synchronize(flag)
    logical, intent(in) :: flag
    if (flag) call wait_for_all
    call compute
    call wait_for_all
  end subroutine
  subroutine wait_for_all
    integer :: ierror
    call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine compute
  end subroutine
  ! It calls itself with another one.
  recursive subroutine descend(level)
    integer, intent(in) :: level
    integer :: ierror
    if (level < 3) call descend(level + 1)
    if (level == 3) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
end module
program main
  use steps
  implicit none
  integer :: ierror, provided, level
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call drive(.false.)
  call drive(.true.)
  !$omp parallel private(level)
  call finish()
  call close_group(.true.)
  !$omp barrier
  call choose()
  !$omp barrier
  call choose_not()
  !$omp barrier
  call report(2)
  !$omp barrier
  call report_below(1)
  !$omp barrier
  call print_above(2)
  !$omp barrier
  call print_equal(2)
  !$omp barrier
  call print_below(2)
  !$omp barrier
  call print_more(1, 6)
  !$omp barrier
  call print_copied(1, 6)
  !$omp barrier
  level = 1
  call print_raised(level)
  !$omp barrier
  call reduce(.false., 1)
  !$omp barrier
  call reduce(.true., 0)
  !$omp barrier
  call gather(.false., 1)
  call gather(.true., 1)
  !$omp barrier
  call synchronize(.false.)
  !$omp barrier
  call descend(1)
  !$omp end parallel
  call MPI_Finalize(ierror)
contains
  subroutine drive(flag)
    logical, intent(in) :: flag
    !$omp parallel
    call exchange(flag)
    !$omp end parallel
  end subroutine
end program
