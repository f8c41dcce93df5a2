! Variables of each thread keep its number, and whether that is 0; another file asks for the others.
! required: MPI_THREAD_MULTIPLE
! file: ranks.f90
module ranks
  use omp_lib
  implicit none
  integer, save :: rank
  logical, save :: root, first
  !$omp threadprivate(rank, root, first)
contains
  subroutine find
    rank = omp_get_thread_num()
    root = rank == 0
    first = .false.
    !$omp master
    first = .true.
    !$omp end master
  end subroutine
end module
! file: main.f90
program main
  use mpi
  use ranks
  implicit none
  integer :: provided, error
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  call find
  if (.not. root) call MPI_Barrier(MPI_COMM_WORLD, error) ! compiler: mpi-concurrent-collectives expect: mpi-concurrent-collectives
  !$omp barrier
  if (.not. first) call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp barrier
  if (rank /= 0) call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end parallel
  call MPI_Finalize(error)
end program
