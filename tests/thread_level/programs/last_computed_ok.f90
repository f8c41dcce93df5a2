! Threads that count from 1, of which the last one calls, and what is left of `case (1:)`, which is
! thread 0.
! required: MPI_THREAD_SERIALIZED
program last_computed
  use mpi
  use omp_lib
  implicit none
  integer :: provided, ierr, me, threads, work
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  threads = omp_get_max_threads()
  !$omp parallel private(me, ierr)
  me = omp_get_thread_num() + 1
  if (me == threads) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  !$omp parallel private(me, work, ierr)
  me = omp_get_thread_num()
  if (me + 1 == omp_get_num_threads()) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp barrier
  select case (me)
  case (1:)
    work = me
  case default
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end select
  !$omp barrier
  select case (me)
  case (0)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  case (1:)
    work = me
  end select
  !$omp end parallel
  call MPI_Finalize(ierr)
end program last_computed
