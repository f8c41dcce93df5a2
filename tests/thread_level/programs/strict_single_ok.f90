! No team in a process that has no other threads, as it says.
! required: MPI_THREAD_SINGLE
program p
  use mpi
  implicit none
  integer :: ierr, total
  total = 0
  call MPI_Init(ierr)
  !$omp simd reduction(+ : total)
  do ierr = 1, 10
    total = total + ierr
  end do
  call MPI_Finalize(ierr)
end program p
