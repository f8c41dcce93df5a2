! Each thread has an element of an array, in which its number is.
! required: MPI_THREAD_FUNNELED
module crew
  use mpi
  use omp_lib
  implicit none
  type worker
    integer :: number = -1
    double precision :: total = 0
  end type
contains
  subroutine meet(self)
    type(worker), intent(in) :: self
    integer :: ierr
    if (self%number == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine
end module
program number_in_element
  use crew
  implicit none
  type(worker) :: workers(0:63)
  integer :: provided, ierr, me
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel private(me) num_threads(64)
  me = omp_get_thread_num()
  workers(me)%number = me
  call meet(workers(me))
  !$omp barrier
  if (workers(me)%number == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
