! All threads use one element of an allocatable array of handles.
! required: MPI_THREAD_MULTIPLE
module lanes
  use mpi_f08
  implicit none
  type(MPI_Comm), allocatable, save :: all(:)
end module lanes

program allocatable_element
  use mpi_f08
  use lanes
  implicit none
  type(MPI_Comm), allocatable :: lane(:)
  type(MPI_Request), allocatable :: request(:)
  integer :: provided, i
  double precision :: x, y, z(4)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  if (provided < MPI_THREAD_MULTIPLE) stop 1
  allocate(lane(0:3), all(4), request(4))
  do i = 1, 4
    call MPI_Comm_dup(MPI_COMM_WORLD, lane(i - 1))
    call MPI_Comm_dup(MPI_COMM_WORLD, all(i))
    call MPI_Irecv(z(i), 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, i, MPI_COMM_WORLD, request(i))
  end do
  !$omp parallel private(x, y)
  x = 1
  call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, lane(0)) ! expect: mpi-concurrent-collectives
  !$omp barrier
  call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, all(2)) ! expect: mpi-concurrent-collectives
  !$omp barrier
  call MPI_Wait(request(2), MPI_STATUS_IGNORE) ! expect: mpi-concurrent-request
  !$omp end parallel
  call MPI_Finalize()
end program allocatable_element
