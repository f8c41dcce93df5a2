! The number is left out in a region, what is taken without it is not 0, or those go on that are not
! thread 0.
! required: MPI_THREAD_MULTIPLE
module meeting
  use mpi
  use omp_lib
  implicit none
contains
  subroutine meet(comm, thread)
    integer, intent(in) :: comm
    integer, intent(in), optional :: thread
    integer :: ierr
    if (present(thread)) then
      if (thread /= 0) return
    end if
    call MPI_Barrier(comm, ierr)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine share(comm, thread)
    integer, intent(in) :: comm
    integer, intent(in), optional :: thread
    integer :: ierr, me
    me = 0
    if (present(thread)) me = thread
    if (me == 0) call MPI_Barrier(comm, ierr)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine others(comm, thread)
    integer, intent(in) :: comm
    integer, intent(in), optional :: thread
    integer :: ierr
    if (present(thread)) then
      if (thread == 0) return
    end if
    call MPI_Barrier(comm, ierr)  ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine sometimes(comm, count, thread)
    integer, intent(in) :: comm, count
    integer, intent(in), optional :: thread
    integer :: ierr, me
    me = 0
    if (present(thread) .and. count > 1) me = thread
    if (me == 0) call MPI_Barrier(comm, ierr)  ! expect: mpi-concurrent-collectives
  end subroutine
end module
program optional_number
  use meeting
  implicit none
  integer :: provided, ierr, thread
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(thread)
  thread = omp_get_thread_num()
  call meet(MPI_COMM_WORLD, thread)
  !$omp barrier
  call meet(MPI_COMM_WORLD)
  !$omp barrier
  call share(MPI_COMM_WORLD, thread)
  !$omp barrier
  call share(MPI_COMM_WORLD)
  !$omp barrier
  call others(MPI_COMM_WORLD, thread)
  !$omp barrier
  call sometimes(MPI_COMM_WORLD, provided, thread)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
