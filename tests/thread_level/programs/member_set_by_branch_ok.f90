! Each thread has an object of its own. Which of them has made the communicator, or is to write, the
! branches of a condition on its number tell; so does a variable of each thread.
! required: MPI_THREAD_FUNNELED
module channels
  use mpi
  use omp_lib
  implicit none
  type channel
    integer :: comm = MPI_COMM_NULL
    integer :: thread = -1
    logical :: is_owner = .false.
    logical :: writes = .false.
  contains
    procedure :: open => open_channel, close => close_channel
  end type
  logical, save :: talks = .false.
  !$omp threadprivate(talks)
contains
  subroutine open_channel(this)
    class(channel), intent(inout) :: this
    integer, save :: common
    integer :: ierr
    this%thread = omp_get_thread_num()
    if (omp_get_thread_num() == 0) then
      call MPI_Comm_dup(MPI_COMM_WORLD, this%comm, ierr)
      common = this%comm
      this%is_owner = .true.
      talks = .true.
    else
      this%is_owner = .false.
    end if
    if (this%thread /= 0) then
      this%writes = .false.
    else
      this%writes = .true.
    end if
    !$omp barrier
    this%comm = common
  end subroutine
  subroutine close_channel(this)
    class(channel), intent(inout) :: this
    integer :: ierr
    !$omp barrier
    if (this%writes) call MPI_Barrier(this%comm, ierr)
    if (talks) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp barrier
    if (this%is_owner) call MPI_Comm_free(this%comm, ierr)
    this%is_owner = .false.
  end subroutine
end module
program member_set_by_branch
  use channels
  type(channel) :: own
  integer :: ierr, provided
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(own)
  call own%open()
  call own%close()
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
