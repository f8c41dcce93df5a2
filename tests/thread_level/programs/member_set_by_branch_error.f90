! The flag is that of all threads but one, only the first writes it to an object that all have, or
! another place sets it for all.
! required: MPI_THREAD_MULTIPLE
module channels
  use mpi
  use omp_lib
  implicit none
  type channel
    logical :: waits = .false.
    logical :: is_ready = .false.
    logical :: writes = .false.
  end type
contains
  subroutine open_channel(this)
    class(channel), intent(inout) :: this
    if (omp_get_thread_num() == 0) then
      this%waits = .false.
    else
      this%waits = .true.
    end if
    if (omp_get_thread_num() == 0) then
      this%writes = .true.
    else
      this%writes = .false.
    end if
  end subroutine
  subroutine use_shared(shared)
    class(channel), intent(inout) :: shared
    integer :: ierr
    if (omp_get_thread_num() == 0) then
      shared%is_ready = .true.
    end if
    !$omp barrier
    if (shared%is_ready) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine use_waiting(this)
    class(channel), intent(in) :: this
    integer :: ierr
    if (this%waits) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine use_writing(this)
    class(channel), intent(inout) :: this
    integer :: ierr
    if (this%writes) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
    this%writes = .true.
  end subroutine
end module
program member_set_by_branch
  use channels
  type(channel) :: own, shared
  integer :: ierr, provided
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(own)
  call open_channel(own)
  call use_shared(shared)
  !$omp barrier
  call use_waiting(own)
  !$omp barrier
  call use_writing(own)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
