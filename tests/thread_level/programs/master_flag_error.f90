! Variables of threads, and arguments, that are not what says whether a thread is the first one.
! required: MPI_THREAD_MULTIPLE
module team
  use omp_lib
  implicit none
  integer :: thread
  logical, save :: is_early = .true.
  !$omp threadprivate(thread, is_early)
contains
  subroutine enter
    thread = omp_get_thread_num()
    is_early = thread < 2
  end subroutine
end module

program master_flag
  use mpi
  use team
  implicit none
  integer :: provided, error
  double precision :: values(2)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  call enter
  call send_early
  !$omp end parallel
  !$omp parallel
  call send(omp_get_thread_num() /= 0)
  !$omp end parallel
  call MPI_Finalize(error)
contains
  subroutine send_early
    integer :: status
    if (is_early) call MPI_Send(values(1), 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status)  ! expect: mpi-thread-level
  end subroutine

  subroutine send(may)
    logical, intent(in) :: may
    integer :: status
    if (may) call MPI_Send(values(1), 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status)  ! expect: mpi-thread-level
  end subroutine
end program
