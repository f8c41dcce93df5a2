! MPI_Init by every thread of a team.
! required: MPI_THREAD_SERIALIZED
program p
  use mpi
  implicit none
  integer :: ierr
  !$omp parallel private(ierr) ! expect: mpi-strict-single
  call MPI_Init(ierr) ! expect: mpi-init-in-parallel
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
