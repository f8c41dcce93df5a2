! Probe and receive in one critical section.
! required: MPI_THREAD_SERIALIZED
program probe_apart
  use mpi
  implicit none
  integer :: provided, ierr, i
  integer :: status(MPI_STATUS_SIZE)
  real :: values(16)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel do private(status, ierr)
  do i = 1, 16
    !$omp critical (library)
    call MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status, ierr)
    call MPI_Recv(values(i), 1, MPI_REAL, status(MPI_SOURCE), 5, MPI_COMM_WORLD, status, ierr)
    !$omp end critical (library)
  end do
  call MPI_Finalize(ierr)
end program
