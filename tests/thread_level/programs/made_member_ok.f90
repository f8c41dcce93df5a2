! A function makes the object with the number, which another procedure hands on; outside of teams
! it is 0.
! required: MPI_THREAD_FUNNELED
module hm
  implicit none
  type hybrid_t
    integer :: ithr
  end type
contains
  function hybrid_create(ithr) result(hybrid)
    integer, intent(in) :: ithr
    type(hybrid_t) :: hybrid
    hybrid%ithr = ithr
  end function
  subroutine core(ithr)
    use mpi
    integer :: ithr
    integer :: ierr
    if (ithr == 0) then
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end if
    !$omp barrier
  end subroutine
  subroutine threaded(hybrid)
    type(hybrid_t) :: hybrid
    !$omp barrier
    call core(hybrid%ithr)
  end subroutine
  subroutine nonthreaded()
    integer :: ithr
    ithr = 0
    call core(ithr)
  end subroutine
end module
program main
  use mpi
  use omp_lib
  use hm
  implicit none
  integer :: ithr, provided, ierr
  type(hybrid_t) :: hybrid
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call nonthreaded()
!$omp parallel private(ithr, hybrid)
  ithr = omp_get_thread_num()
  hybrid = hybrid_create(ithr)
  call threaded(hybrid)
!$omp end parallel
  call MPI_Finalize(ierr)
end program
