! A thread that tries until it has the lock.
! required: MPI_THREAD_SERIALIZED
program p
  use omp_lib
  use mpi
  implicit none
  integer :: ierr, provided, value
  integer(omp_lock_kind) :: lock
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call omp_init_lock(lock)
  !$omp parallel private(value, ierr)
  value = 0
  do while (.not. omp_test_lock(lock))
    value = value + 1
  end do
  call MPI_Send(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call omp_unset_lock(lock)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
