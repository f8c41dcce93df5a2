! A variable that is threadprivate, and that gfortran keeps on the stack.
! required: MPI_THREAD_FUNNELED
program copied
  use mpi
  implicit none
  integer :: number, provided, ierr
  !$omp threadprivate (number)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel master copyin(number)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel master
  call MPI_Finalize(ierr)
end program
