! A team in a process that has no other threads, as it says.
! required: MPI_THREAD_SINGLE
program p
  use mpi
  implicit none
  integer :: ierr, total
  total = 0
  call MPI_Init(ierr)
  !$omp parallel reduction(+ : total) ! expect: mpi-strict-single
  total = total + 1
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
