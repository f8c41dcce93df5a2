! Module variables that are private elsewhere are one for all threads where they are not; copies of
! one communicator are that communicator.
! required: MPI_THREAD_MULTIPLE
module state
  use mpi
  implicit none
  integer :: request, comm, me
end module

program private_static
  use state
  use omp_lib
  implicit none
  integer :: provided, ierr, i
  real :: values(16)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  !$omp parallel do private(request, ierr)
  do i = 1, 16
    call MPI_Irecv(values(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end do
  !$omp parallel do private(ierr)
  do i = 1, 16
    call MPI_Irecv(values(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, request, ierr) ! expect: mpi-concurrent-request
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr) ! expect: mpi-concurrent-request
  end do
  !$omp parallel firstprivate(comm) private(ierr)
  call MPI_Barrier(comm, ierr) ! expect: mpi-concurrent-collectives
  !$omp end parallel
  !$omp parallel private(me, ierr)
  me = omp_get_thread_num()
  if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  !$omp parallel private(ierr)
  if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
