! Communicators that are none until they are made.
! required: MPI_THREAD_MULTIPLE
program nulls
  use mpi_f08
  implicit none
  type(MPI_Comm) :: left, right
  integer :: provided, ierr
  left = MPI_COMM_NULL
  right = MPI_COMM_NULL
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, left, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, right, ierr)
!$omp parallel sections
!$omp section
  call MPI_Barrier(left, ierr)
!$omp section
  call MPI_Barrier(right, ierr)
!$omp end parallel sections
  call MPI_Finalize(ierr)
end program
