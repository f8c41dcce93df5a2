! All threads of the first process write.
! required: MPI_THREAD_MULTIPLE
module hybrids
  implicit none
  type parallel_t
    integer :: rank
    logical :: is_root
  end type
  type hybrid_t
    type(parallel_t) :: par
    integer :: thread
    logical :: is_master
  end type
contains
  function make(par, thread) result(h)
    type(parallel_t), intent(in) :: par
    integer, intent(in) :: thread
    type(hybrid_t) :: h
    h%par = par
    h%thread = thread
    h%is_master = par%is_root .or. thread == 0
  end function
end module
module work
  use mpi
  use hybrids
  implicit none
contains
  subroutine put(h)
    type(hybrid_t), intent(in) :: h
    integer :: v = 1, error
    if (h%is_master) call MPI_Send(v, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
  end subroutine
end module
program main
  use work
  use omp_lib
  implicit none
  integer :: provided, error
  type(parallel_t) :: par
  type(hybrid_t) :: h
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, par%rank, error)
  par%is_root = par%rank == 0
  !$omp parallel private(h)
  h = make(par, omp_get_thread_num())
  call put(h)
  !$omp end parallel
  call MPI_Finalize(error)
end program
