! Arguments that a procedure keeps in components of an object, where other things are asked, or
! other things are there by then. ways: all
! required: MPI_THREAD_MULTIPLE
module iterators
  use mpi
  implicit none
  type iterator
    logical :: shared, dynamic
    integer :: mode
  contains
    procedure :: select => select_iterator
    procedure :: set => reset
  end type
contains
  ! One of the threads says that it takes part.
  subroutine start(it, shared)
    type(iterator), intent(out) :: it
    logical, intent(in), optional :: shared
    it%shared = .true.
    if (present(shared)) it%shared = shared
    it%dynamic = .true.
    if (.not. it%shared) it%dynamic = .false.
    if (it%dynamic) then
      !$omp barrier  ! expect: mpi-invalid-nesting
    end if
  end subroutine
  ! They leave out the barrier.
  subroutine wait_for_all(it, shared)
    class(iterator), intent(inout) :: it
    logical, intent(in), optional :: shared
    it%shared = .false.
    if (present(shared)) it%shared = shared
    if (it%shared) then
      !$omp barrier
    end if
  end subroutine
  subroutine reset(it)
    class(iterator), intent(inout) :: it
    it%shared = .true.
  end subroutine
  ! So it does here, in an object that GCC makes for the call.
  subroutine turn(it, group)
    type(iterator), intent(inout) :: it
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    call it%set()
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine select_iterator(it, group)
    class(iterator), intent(inout) :: it
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    call it%set()
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! Another object of a class.
  subroutine point_classes(it, other, group)
    class(iterator), pointer, intent(in) :: it, other
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    other%shared = .true.
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! It gets the object.
  subroutine open_group(it, group)
    type(iterator), intent(inout) :: it
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    call reset(it)
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! Another object's component is asked.
  subroutine copy_group(it, other, group)
    type(iterator), intent(inout) :: it
    type(iterator), intent(in) :: other
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    if (other%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! The other one may be the same.
  subroutine point_to(it, other, group)
    type(iterator), pointer, intent(in) :: it, other
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    other%shared = .true.
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! In one of two ways it is something else.
  subroutine choose(it, mode, more)
    type(iterator), intent(inout) :: it
    integer, intent(in) :: mode
    logical, intent(in) :: more
    integer :: ierror, i
    it%mode = mode
    do i = 1, 3
      if (more) it%mode = it%mode + 1
    end do
    if (it%mode == 2) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! All of it.
  subroutine assign(it, other, group)
    type(iterator), intent(inout) :: it
    type(iterator), intent(in) :: other
    logical, intent(in) :: group
    integer :: ierror
    it%shared = group
    it = other
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
  ! The argument is something else by then.
  subroutine change(it, group)
    type(iterator), intent(inout) :: it
    logical, intent(inout) :: group
    integer :: ierror
    group = .true.
    it%shared = group
    if (it%shared) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  end subroutine
end module
program main
  use iterators
  implicit none
  integer :: ierror, provided
  type(iterator) :: it, other
  type(iterator), pointer :: one
  class(iterator), pointer :: same
  logical :: flag
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  !$omp parallel private(it, other, one, same, flag)
  allocate (one)
  call start(it)
  !$omp barrier
  !$omp master
  call start(it, shared=.true.)
  !$omp end master
  !$omp barrier
  call open_group(it, .false.)
  !$omp barrier
  call reset(other)
  call copy_group(it, other, .false.)
  !$omp barrier
  call point_to(one, one, .false.)
  !$omp barrier
  call turn(it, .false.)
  !$omp barrier
  call it%select(.false.)
  !$omp barrier
  same => one
  call point_classes(same, same, .false.)
  !$omp barrier
  call choose(it, 1, .true.)
  !$omp barrier
  call assign(it, other, .false.)
  !$omp barrier
  flag = .false.
  call change(it, flag)
  !$omp barrier
  !$omp master
  call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  !$omp end master
  call wait_for_all(it)
  !$omp single
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
