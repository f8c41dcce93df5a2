! A condition on another thread than the first; mpif.h.
! required: MPI_THREAD_SERIALIZED
program p
  use omp_lib
  implicit none
  include 'mpif.h'
  integer :: ierr, provided, value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  value = 1
  !$omp parallel private(value)
  value = omp_get_thread_num()
  if (value == 1) then
    call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
    write (*, *) value
  end if
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
