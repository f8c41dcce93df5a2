! A procedure of another file puts what it is handed, the number of the thread or another one, into a component.
! required: MPI_THREAD_MULTIPLE
! file: hybrids.f90
module hybrids
  implicit none
  type hybrid
    integer :: thread
    integer :: threads
  end type
contains
  function new_hybrid(thread, threads) result(made)
    integer, intent(in) :: thread, threads
    type(hybrid) :: made
    made%thread = thread
    made%threads = threads
  end function
end module
! file: exchange.f90
subroutine exchange(all)
  use mpi
  use hybrids
  implicit none
  type(hybrid), intent(in) :: all
  integer :: ierr
  if (all%thread == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
end subroutine
! file: main.f90
program main
  use mpi
  use omp_lib
  use hybrids
  implicit none
  integer :: provided, ierr
  type(hybrid) :: own
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) stop 1
  own = new_hybrid(0, 1)
  call exchange(own)
  !$omp parallel private(own)
  own = new_hybrid(omp_get_thread_num() / 2, omp_get_num_threads())
  call exchange(own)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
