! Twin of serial_number_ok.f90: threads have what others have, too.
! required: MPI_THREAD_MULTIPLE
module hybrids
  use omp_lib
  use mpi
  implicit none
  type hybrid
    integer :: me
  end type
contains
  function created(me) result(made)
    integer, intent(in) :: me
    type(hybrid) :: made
    made%me = me
  end function
  subroutine sum_up(own, x)
    type(hybrid), intent(in) :: own
    real(8) :: x
    integer :: error
    !$omp barrier
    if (own%me == 0) call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
    !$omp barrier
  end subroutine
end module
program serial_number
  use hybrids
  implicit none
  type(hybrid) :: own
  real(8) :: x
  integer :: provided, error, me
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  x = 1
  me = omp_get_thread_num()
  own = created(me)
  !$omp parallel private(own, me)
  me = mod(omp_get_thread_num(), 2)
  own = created(me)
  call sum_up(own, x)
  !$omp end parallel
  call MPI_Finalize(error)
end program
