! Twin of kept_size_ok.f90: something else is kept.
! required: MPI_THREAD_MULTIPLE
module sizes
  use mpi
  use omp_lib
  implicit none
  integer :: threads = 1
contains
  subroutine start()
    integer :: provided, error
    if (threads > 1) then
      call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
      if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    else
      call MPI_Init(error)
    end if
  end subroutine
  subroutine sum_up(x)
    real(8) :: x
    integer :: error
    !$omp master
    call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    !$omp end master
    if (threads == 1) call MPI_Barrier(MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
  end subroutine
end module
program kept_size
  use sizes
  implicit none
  integer :: error
  real(8) :: x
  threads = command_argument_count()
  call start()
  x = 1
  !$omp parallel  ! expect: mpi-strict-single
  call sum_up(x)
  !$omp end parallel
  call MPI_Finalize(error)
end program
