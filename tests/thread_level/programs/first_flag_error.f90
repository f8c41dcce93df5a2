! A flag that one thread or the other sets, all but the first one, and what is asked in regions.
! required: MPI_THREAD_MULTIPLE
module roots
  use mpi
  use omp_lib
  logical, save :: root
  !$omp threadprivate(root)
contains
  subroutine find_root
    root = .false.
    !$omp single
    root = .true.
    !$omp end single
  end subroutine
  subroutine send(values)
    real(8) :: values(10)
    integer :: ierror
    if (root) call MPI_Bcast(values, 10, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror) ! expect: mpi-concurrent-collectives
  end subroutine
  subroutine outside(values)
    real(8) :: values(10)
    integer :: ierror
    if (omp_in_parallel()) call MPI_Bcast(values, 10, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror) ! expect: mpi-concurrent-collectives
  end subroutine
end module
program main
  use roots
  implicit none
  integer :: ierror, provided, me, threads
  real(8) :: values(10)
  logical :: first
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  values = 0
  call outside(values)
  !$omp parallel private(first, me, threads)
  call find_root
  call send(values)
  !$omp barrier
  first = .false.
  if (omp_get_thread_num() /= 0) first = .true.
  if (first) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  !$omp barrier
  me = omp_get_thread_num()
  threads = omp_get_num_threads()
  if (me == 0 .or. threads == 2) call MPI_Barrier(MPI_COMM_WORLD, ierror) ! expect: mpi-concurrent-collectives
  call outside(values)
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
