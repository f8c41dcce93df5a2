! Findings are where the source has the region, whatever its clauses, and the call.
! required: MPI_THREAD_FUNNELED
program places
  use mpi_f08
  implicit none
  integer :: i, ierror, n
  real :: a(100)
  n = command_argument_count() + 2
  if (n > 5) then
    n = 5
  else
    call MPI_Init(ierror)
  end if
  !$omp parallel num_threads(n) ! expect: mpi-strict-single
  !$omp do schedule(dynamic, n)
  do i = 1, 100
    a(i) = i
  end do
  !$omp end do
  !$omp end parallel
  !$omp parallel if(n > 3)
  !$omp single
  if (a(1) > 2) then
    a(2) = 1
  else
    call MPI_Finalize(ierror) ! expect: mpi-finalize
  end if
  !$omp end single
  !$omp end parallel
end program
