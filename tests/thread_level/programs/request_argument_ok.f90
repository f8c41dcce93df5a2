! Each thread completes the requests of its own array, or one thread those of one.
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
    call MPI_Waitany(size(requests), requests, which, MPI_STATUS_IGNORE, ierr)
  end subroutine
  subroutine finish_halo(all)
    type(halo), intent(inout) :: all
    integer :: ierr
    call MPI_Waitall(size(all%requests), all%requests, MPI_STATUSES_IGNORE, ierr)
  end subroutine
  subroutine finish_once(all)
    type(halo), intent(inout) :: all
    integer :: ierr
    !$omp parallel private(ierr)
    !$omp single
    call MPI_Waitall(size(all%requests), all%requests, MPI_STATUSES_IGNORE, ierr)
    !$omp end single
    !$omp end parallel
  end subroutine
end module
program request_argument
  use exchange
  implicit none
  integer :: provided, ierr
  integer :: requests(4)
  type(halo) :: own, all
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  allocate(all%requests(4))
  all%requests = MPI_REQUEST_NULL
  call finish_once(all)
  !$omp parallel private(requests, own)
  requests = MPI_REQUEST_NULL
  allocate(own%requests(4))
  own%requests = MPI_REQUEST_NULL
  call finish(requests)
  call finish_halo(own)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
