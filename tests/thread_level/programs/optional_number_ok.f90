! Procedures that may be handed the number of the thread: without it, outside of regions or by the
! master, they do what thread 0 does.
! required: MPI_THREAD_FUNNELED
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
    call MPI_Barrier(comm, ierr)
  end subroutine
  subroutine share(comm, value, thread)
    integer, intent(in) :: comm
    double precision, intent(inout) :: value
    integer, intent(in), optional :: thread
    integer :: ierr, me
    me = 0
    if (present(thread)) me = thread
    !$omp barrier
    if (me == 0) call MPI_Bcast(value, 1, MPI_DOUBLE_PRECISION, 0, comm, ierr)
    !$omp barrier
  end subroutine
  subroutine step(comm, value, thread)
    integer, intent(in) :: comm
    double precision, intent(inout) :: value
    integer, intent(in), optional :: thread
    call share(comm, value, thread)
    call meet(comm, thread)
  end subroutine
end module
program optional_number
  use meeting
  implicit none
  integer :: provided, ierr, thread
  double precision :: value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  value = 1
  call meet(MPI_COMM_WORLD)
  call step(MPI_COMM_WORLD, value)
  !$omp parallel private(thread)
  thread = omp_get_thread_num()
  call step(MPI_COMM_WORLD, value, thread)
  !$omp barrier
  !$omp master
  call meet(MPI_COMM_WORLD)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
