! Each thread uses an element of its own, or two threads use different ones.
! required: MPI_THREAD_MULTIPLE
program allocatable_element
  use mpi_f08
  use omp_lib
  implicit none
  type(MPI_Comm), allocatable :: lane(:)
  type(MPI_Request), allocatable :: request(:)
  integer :: provided, i, t
  double precision :: x, y, z(4)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  if (provided < MPI_THREAD_MULTIPLE) stop 1
  allocate(lane(0:3), request(0:3))
  do i = 1, 4
    call MPI_Comm_dup(MPI_COMM_WORLD, lane(i - 1))
    call MPI_Irecv(z(i), 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, i, MPI_COMM_WORLD, request(i - 1))
  end do
  !$omp parallel private(x, y, t) num_threads(4)
  t = omp_get_thread_num()
  x = 1
  call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, lane(t))
  !$omp barrier
  !$omp sections
  !$omp section
  call MPI_Wait(request(2), MPI_STATUS_IGNORE)
  !$omp section
  call MPI_Wait(request(3), MPI_STATUS_IGNORE)
  !$omp end sections
  !$omp end parallel
  call MPI_Finalize()
end program allocatable_element
