! Calls that go on in further lines are reported where they begin.
! required: MPI_THREAD_SERIALIZED
program continued
  use mpi
  implicit none
  integer :: ierr, provided
  double precision :: x, y
  call MPI_Init_thread(MPI_THREAD_FUNNELED, &
                       provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) &
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel
  !$omp single
  x = 1
  call MPI_Allreduce(x, y, & ! expect: mpi-thread-level
                     1, & ! one

                     ! not two
                     & MPI_DOUBLE_PRECISION, MPI_SUM, &
                     MPI_COMM_WORLD, ierr)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(ierr)
end program continued
