! All threads complete the requests of one array, which is an argument or a component of one.
! required: MPI_THREAD_MULTIPLE
module exchange
  use mpi
  implicit none
  type halo
    integer, allocatable :: requests(:)
  end type
contains
  subroutine finish(requests)
    integer, intent(inout) :: requests(4)
    integer :: which, ierr
    !$omp parallel private(which, ierr)
    call MPI_Waitany(size(requests), requests, which, & ! expect: mpi-concurrent-request
                     MPI_STATUS_IGNORE, ierr)
    !$omp end parallel
  end subroutine
  subroutine finish_halo(all)
    type(halo), intent(inout) :: all
    integer :: ierr
    !$omp parallel private(ierr)
    call MPI_Waitall(size(all%requests), all%requests, & ! expect: mpi-concurrent-request
                     MPI_STATUSES_IGNORE, ierr)
    !$omp end parallel
  end subroutine
end module
program request_argument
  use exchange
  implicit none
  integer :: provided, ierr
  integer :: requests(4)
  type(halo) :: all
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  requests = MPI_REQUEST_NULL
  allocate(all%requests(4))
  all%requests = MPI_REQUEST_NULL
  call finish(requests)
  call finish_halo(all)
  call MPI_Finalize(ierr)
end program
