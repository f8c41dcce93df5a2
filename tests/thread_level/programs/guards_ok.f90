! A condition on the thread number; mpif.h.
! required: MPI_THREAD_FUNNELED
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
  if (value == 0) then
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    write (*, *) value
  end if
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
