! What a team tells in variables that have had a value for programs without OpenMP.
! required: MPI_THREAD_FUNNELED
program sentinel
  use mpi
  use omp_lib
  implicit none
  integer :: provided, error
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
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
    threads = 1
    !$ me = omp_get_thread_num()
    !$ threads = omp_get_num_threads()
    if (me == 0 .or. threads == 1) call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine
end program

subroutine host()
  use mpi
  use omp_lib
  implicit none
  integer :: me, error
  me = 0
  !$ me = omp_get_thread_num()
  call inner()
contains
  subroutine inner()
    if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine
end subroutine
