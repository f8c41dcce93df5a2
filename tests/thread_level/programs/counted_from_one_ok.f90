! As counted_from_one_ok.c, and as one writes it to be compiled without OpenMP, too.
! required: MPI_THREAD_FUNNELED
module team
  implicit none
  integer :: slot
  !$omp threadprivate(slot)
contains
  subroutine speak(number)
    use mpi
    integer, intent(in) :: number
    integer :: error
    if (number == 1) call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine
end module

program main
  use mpi
  use omp_lib
  use team
  implicit none
  integer :: provided, error, me, back
  integer :: root = 0
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel private(me, back, error)
  me = 1
  !$ me = omp_get_thread_num() + 1
  if (me == 1) call MPI_Barrier(MPI_COMM_WORLD, error)
  if (omp_get_thread_num() == root) call MPI_Barrier(MPI_COMM_WORLD, error)
  slot = omp_get_thread_num() + 1
  if (slot == 1) call MPI_Barrier(MPI_COMM_WORLD, error)
  back = omp_get_thread_num()
  back = back + 1
  if (back .eq. 1) call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end parallel
  !$omp parallel private(me)
  me = omp_get_thread_num() + 1
  call speak(me)
  !$omp end parallel
  call MPI_Finalize(error)
end program
