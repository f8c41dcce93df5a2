! Arguments that a procedure keeps in components of an object, and asks there. ways: all
! required: MPI_THREAD_SERIALIZED
module iterators
  use mpi
  implicit none
  type iterator
    logical :: shared, dynamic
    integer :: mode
    integer, pointer :: position => null()
  contains
    procedure :: select => select_iterator
  end type
  integer :: rounds
contains
  subroutine count_round(number)
    integer, intent(in) :: number
    rounds = number
  end subroutine
  ! Who has an iterator for itself takes no part in what all others do.
  subroutine start(it, shared, dynamic)
    type(iterator), intent(out) :: it
    logical, intent(in), optional :: shared, dynamic
    it%shared = .true.
    if (present(shared)) it%shared = shared
    it%dynamic = .true.
    if (present(dynamic)) it%dynamic = dynamic
    if (.not. it%shared) then
      it%dynamic = .false.
    end if
    if (it%dynamic) then
      !$omp barrier
      !$omp master
      allocate (it%position)
      !$omp end master
      !$omp barrier
    end if
  end subroutine
  ! Nobody gets the iterator in between.
  subroutine open_group(it, group)
    type(iterator), intent(inout) :: it
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    call count_round(3)
    nullify (it%position)
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  subroutine choose(it, mode, other)
    type(iterator), intent(inout) :: it
    integer, intent(in) :: mode
    logical, intent(inout) :: other
    integer :: ierror
    it%mode = mode
    other = .false.
    if (it%mode == 2 .and. .not. other) then
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end if
  end subroutine
  subroutine select_iterator(it, group)
    class(iterator), intent(inout) :: it
    logical, intent(in), optional :: group
    integer :: ierror
    it%dynamic = .false.
    if (present(group)) it%dynamic = group
    nullify (it%position)
    if (it%dynamic) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
  ! All threads come to the barrier, or leave it out.
  subroutine wait_for_all(it, shared)
    class(iterator), intent(inout) :: it
    logical, intent(in), optional :: shared
    it%shared = .true.
    if (present(shared)) it%shared = shared
    if (it%shared) then
      !$omp barrier
    end if
  end subroutine
  ! The same in a variable.
  subroutine advance(shared)
    logical, intent(in), optional :: shared
    logical :: is_shared, is_dynamic
    integer :: ierror
    is_shared = .true.
    if (present(shared)) is_shared = shared
    is_dynamic = rounds > 2
    if (.not. is_shared) is_dynamic = .false.
    if (is_dynamic) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine
end module
program main
  use iterators
  implicit none
  integer :: ierror, provided
  type(iterator) :: it
  logical :: flag
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call open_group(it, .true.)
  call choose(it, 2, flag)
  call advance()
  call it%select(.true.)
  !$omp parallel private(it, flag)
  call start(it)
  !$omp barrier
  !$omp master
  call start(it, shared=.false.)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  !$omp end master
  !$omp barrier
  call open_group(it, .false.)
  call choose(it, 1, flag)
  call advance(.false.)
  call it%select()
  !$omp master
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call wait_for_all(it, .false.)
  !$omp end master
  call wait_for_all(it)
  !$omp master
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  !$omp end master
  call wait_for_all(it, .true.)
  call it%select()
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
