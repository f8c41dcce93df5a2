! Module variables, saved ones and those of COMMON blocks in private clauses: each thread has a copy.
! required: MPI_THREAD_MULTIPLE
module state
  use mpi
  implicit none
  integer :: request, both(2), me
end module

subroutine from_common(values)
  use mpi
  implicit none
  real :: values(16)
  integer :: at, mine, ierr
  common /shared_state/ mine
  !$omp parallel do private(mine, ierr)
  do at = 1, 16
    call MPI_Irecv(values(at), 1, MPI_REAL, 0, at, MPI_COMM_WORLD, mine, ierr)
    call MPI_Wait(mine, MPI_STATUS_IGNORE, ierr)
  end do
end subroutine

program private_static
  use state
  use omp_lib
  implicit none
  integer :: provided, ierr, i
  integer :: saved = 0
  real :: values(16), sent(16)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  !$omp parallel do private(both, ierr)
  do i = 1, 16
    call MPI_Irecv(values(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, both(1), ierr)
    call MPI_Isend(sent(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, both(2), ierr)
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE, ierr)
  end do
  !$omp parallel do firstprivate(saved) private(ierr)
  do i = 1, 16
    call MPI_Irecv(values(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, saved, ierr)
    call MPI_Wait(saved, MPI_STATUS_IGNORE, ierr)
  end do
  !$omp parallel
  !$omp single
  do i = 1, 16
    !$omp task private(request, ierr)
    call MPI_Irecv(values(i), 1, MPI_REAL, 0, i, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  !$omp parallel private(me, ierr)
  me = omp_get_thread_num()
  call MPI_Send(sent, 1, MPI_REAL, 0, me, MPI_COMM_WORLD, ierr)
  if (me == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  call from_common(values)
  call MPI_Finalize(ierr)
end program
