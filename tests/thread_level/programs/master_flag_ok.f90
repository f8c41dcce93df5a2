! Variables of threads, and arguments, that say whether a thread is the first one.
! required: MPI_THREAD_FUNNELED
module team
  use omp_lib
  implicit none
  integer :: thread
  logical, save :: is_master = .true.
  !$omp threadprivate(thread, is_master)
contains
  subroutine enter
    thread = omp_get_thread_num()
    is_master = thread == 0
  end subroutine
end module

program master_flag
  use mpi
  use team
  implicit none
  integer :: provided, error
  double precision :: values(2)
  logical :: is_first
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel private(is_first)
  call enter
  call send(omp_get_thread_num() == 0)
  is_first = omp_get_thread_num() == 0
  call send(is_first)
  !$omp barrier
  if (is_first) call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end parallel
  call MPI_Finalize(error)
contains
  subroutine send(may)
    logical, intent(in) :: may
    integer :: status
    if (is_master) call MPI_Send(values(1), 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status)
    !$omp barrier
    if (may) call MPI_Send(values(1), 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, status)
  end subroutine
end program
