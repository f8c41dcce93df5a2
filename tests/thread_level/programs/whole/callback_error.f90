! A procedure of one file is handed to another by a third.
! required: MPI_THREAD_MULTIPLE
! file: each.f90
subroutine each(n, work)
  implicit none
  integer, intent(in) :: n
  external :: work
  integer :: i
  !$omp do
  do i = 1, n
    call work(i)
  end do
  !$omp end do
end subroutine
! file: publish.f90
subroutine publish(i)
  use mpi
  implicit none
  integer, intent(in) :: i
  integer :: error
  call MPI_Send(i, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
end subroutine
! file: main.f90
program main
  use mpi
  implicit none
  external :: publish
  integer :: provided, error
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel
  call each(10, publish)
  !$omp end parallel
  call MPI_Finalize(error)
end program
