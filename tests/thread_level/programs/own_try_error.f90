! A function that tries to take a lock, and is taken to have where it has not.
! required: MPI_THREAD_MULTIPLE
module library
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
contains
  logical function is_mine()
    is_mine = omp_test_lock(lock)
  end function
end module

program own_try
  use mpi
  use library
  implicit none
  integer :: provided, ierr, value
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call omp_init_lock(lock)
  value = 1
  !$omp parallel
  do while (is_mine())
  end do
  call MPI_Send(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr) ! expect: mpi-thread-level
  call omp_unset_lock(lock)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
