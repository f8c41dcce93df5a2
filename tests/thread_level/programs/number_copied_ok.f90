! Procedures without interfaces copy the number of the thread for a call, and count from 1.
! required: MPI_THREAD_FUNNELED
subroutine exchange(id)
  use mpi
  integer :: id, me
  me = id
  call exchange_first(me)
end subroutine
subroutine exchange_first(id)
  use mpi
  integer :: id, ierror
  if (id .gt. 0) return
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
end subroutine
subroutine reduce(id)
  use mpi
  integer :: id, me, ierror
  me = id + 1
  if (me .eq. 1) call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (me .ne. 1) return
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
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
  call reduce(id)
  !$omp end parallel
  call MPI_Finalize(ierror)
end program
