! A level that another file makes a flag of, which a third one asks for: threads hand over what does not lead to MPI.
! required: MPI_THREAD_FUNNELED
! verdict: compliant
! file: tell.f90
subroutine tell(flag)
  use mpi
  implicit none
  logical, intent(in) :: flag
  integer :: ierror
  if (flag) call MPI_Barrier(MPI_COMM_WORLD, ierror)
end subroutine
! file: report.f90
subroutine report(level)
  implicit none
  integer, intent(in) :: level
  logical :: is_told
  is_told = level > 1
  call tell(is_told)
end subroutine
subroutine report_all(level)
  implicit none
  integer, intent(in) :: level
  call report(level)
end subroutine
! file: main.f90
program main
  use mpi
  implicit none
  integer :: ierror, provided
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  call report_all(2)
  !$omp parallel
  call report_all(0)
  call report(1)
  !$omp master
  call report_all(3)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
