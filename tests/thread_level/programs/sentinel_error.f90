! Twin of sentinel_ok.f90.
! required: MPI_THREAD_MULTIPLE
program sentinel
  use mpi
  use omp_lib
  implicit none
  integer :: provided, error
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  call sizes()
  !$omp barrier
  call host()
  !$omp end parallel
  call MPI_Finalize(error)
contains
  subroutine sizes()
    integer :: me, threads
    me = 0
    threads = 2
    !$ me = mod(omp_get_thread_num(), 2)
    !$ threads = omp_get_num_threads()
    if (me == 0 .or. threads == 2) call MPI_Barrier(MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
  end subroutine
end program

subroutine host()
  use mpi
  use omp_lib
  implicit none
  integer :: me, error
  me = 0
  !$ me = mod(omp_get_thread_num(), 2)
  call inner()
contains
  subroutine inner()
    if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, error)  ! expect: mpi-concurrent-collectives
  end subroutine
end subroutine
