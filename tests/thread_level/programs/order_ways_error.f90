! A critical section around what is each iteration's own.
! required: MPI_THREAD_SERIALIZED
program order_ways
  use mpi
  implicit none
  integer :: provided, i, ierr
  double precision :: parts(16)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) stop 1
  parts = 0
  !$omp parallel do private(ierr)
  do i = 1, 16
    !$omp critical
    call MPI_Bcast(parts(i), 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr) ! expect: mpi-collective-order
    !$omp end critical
  end do
  !$omp end parallel do
  call MPI_Finalize(ierr)
end program
