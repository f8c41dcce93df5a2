! As counted_from_one_error.c.
! required: MPI_THREAD_MULTIPLE
module team
  implicit none
  integer :: slot
  !$omp threadprivate(slot)
contains
  subroutine speak(number)
    use mpi
    integer, intent(in) :: number
    integer :: error
    if (number == 2) call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-thread-level
  end subroutine
end module

program main
  use mpi
  use omp_lib
  use team
  implicit none
  integer :: provided, error, me
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel private(me, error)
  me = omp_get_thread_num() + 1
  if (me > 2) me = 1
  if (me == 1) call MPI_Send(me, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
  !$omp end parallel
  !$omp parallel private(error)
  slot = omp_get_thread_num() + 1
  if (slot == 2) call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-thread-level
  !$omp end parallel
  !$omp parallel private(me)
  me = omp_get_thread_num() + 1
  call speak(me)
  !$omp end parallel
  call MPI_Finalize(error)
end program
