! Procedures without interfaces copy something else than the number of the thread for a call, or count
! otherwise.
! required: MPI_THREAD_MULTIPLE
subroutine exchange(id)
  use mpi
  integer :: id, me
  me = id / 2
  call exchange_first(me)
end subroutine
subroutine exchange_first(id)
  use mpi
  integer :: id, ierror
  if (id .gt. 0) return
  call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
end subroutine
! It is written again in front of the call.
subroutine gather(id, other)
  use mpi
  integer :: id, other, me
  me = id
  if (other .gt. 5) me = 0
  call gather_first(me)
end subroutine
subroutine gather_first(id)
  use mpi
  integer :: id, ierror
  if (id .gt. 0) return
  call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
end subroutine
! The other threads.
subroutine reduce(id)
  use mpi
  integer :: id, me, ierror
  me = id + 1
  if (me .ne. 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
end subroutine
! Threads 0 and 1, at the same time.
subroutine scan(id)
  use mpi
  integer :: id, me, ierror
  me = id + 1
  if (me .eq. 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)  ! expect: mpi-concurrent-collectives
  if (me .eq. 2) call MPI_Barrier(MPI_COMM_WORLD, ierror)
end subroutine
program main
  use mpi
  use omp_lib
  implicit none
  integer :: ierror, provided, id
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  !$omp parallel private(id)
  id = omp_get_thread_num()
  call exchange(id)
  !$omp barrier
  call gather(id, 6)
  !$omp barrier
  call reduce(id)
  !$omp barrier
  call scan(id)
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
