! Another thread, by its number by reference, and under another name.
! required: MPI_THREAD_SERIALIZED
program number_asked
  use mpi
  use omp_lib
  implicit none
  integer :: provided, ierr, thread
  double precision :: value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) stop 1
  value = 0
  !$omp parallel private(thread)
  call ask(thread)
  if (thread == 1) call MPI_Bcast(value, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
  !$omp end parallel
  !$omp parallel private(thread)
  thread = omp_get_thread_num()
  associate (me => thread)
    if (me == 1) call MPI_Bcast(value, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
  end associate
  !$omp end parallel
  call MPI_Finalize(ierr)
contains
  subroutine ask(number)
    integer, intent(out) :: number
    number = omp_get_thread_num()
  end subroutine
end program
