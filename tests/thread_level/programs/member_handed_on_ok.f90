! The number in a member of what a procedure is handed, which hands it on by reference.
! required: MPI_THREAD_FUNNELED
module hybrid_mod
  implicit none
  type hybrid_t
    integer :: ithr
    logical :: master
  end type
contains
  subroutine core(ithr)
    use mpi
    integer, intent(in) :: ithr
    integer :: ierr
    if (ithr == 0) then
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end if
    !$omp barrier
  end subroutine
  subroutine threaded(hybrid)
    type(hybrid_t), intent(in) :: hybrid
    call core(hybrid%ithr)
  end subroutine
end module

program main
  use mpi
  use omp_lib
  use hybrid_mod
  implicit none
  integer :: provided, ierr
  type(hybrid_t) :: hybrid
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(hybrid)
  hybrid%ithr = omp_get_thread_num()
  call threaded(hybrid)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
