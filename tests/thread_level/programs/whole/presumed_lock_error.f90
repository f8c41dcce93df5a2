! Procedures of another module are a lock, which is left before the call.
! required: MPI_THREAD_MULTIPLE
! file: locks.f90
module locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: wire
contains
  subroutine open_wire
    call omp_init_lock(wire)
  end subroutine
  subroutine take
    call omp_set_lock(wire)
  end subroutine
  subroutine give
    call omp_unset_lock(wire)
  end subroutine
end module
! file: main.f90
program main
  use mpi
  use locks
  implicit none
  integer :: provided, error, i
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call open_wire
  !$omp parallel do private(error)
  do i = 1, 20
    call take
    call give
    call MPI_Send(i, 1, MPI_INTEGER, MPI_PROC_NULL, i, MPI_COMM_WORLD, error) ! expect: mpi-thread-level compiler: mpi-thread-level
  end do
  !$omp end parallel do
  call MPI_Finalize(error)
end program
