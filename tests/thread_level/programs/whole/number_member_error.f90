! A component keeps what is no number of the thread, and is compared in another file.
! required: MPI_THREAD_MULTIPLE
! file: workers.f90
module workers
  use mpi
  implicit none
  type worker
    integer :: number = 0
  end type
contains
  subroutine talk(w)
    type(worker), intent(in) :: w
    integer :: error
    if (w%number == 0) then
      call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-concurrent-collectives
    end if
  end subroutine
end module
! file: main.f90
program main
  use mpi
  use omp_lib
  use workers
  implicit none
  type(worker) :: w
  integer :: provided, error
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel private(w)
  w%number = omp_get_num_threads()
  call talk(w)
  !$omp end parallel
  call MPI_Finalize(error)
end program
