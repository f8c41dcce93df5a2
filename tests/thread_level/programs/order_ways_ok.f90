! In the order of the iterations.
! required: MPI_THREAD_SERIALIZED
program order_ways
  use mpi
  implicit none
  integer :: provided, i, ierr
  double precision :: parts(16)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) stop 1
  parts = 0
  !$omp parallel do ordered private(ierr)
  do i = 1, 16
    !$omp ordered
    call MPI_Bcast(parts(i), 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    !$omp end ordered
  end do
  !$omp end parallel do
  call MPI_Finalize(ierr)
end program
