! Ranges of numbers that leave more than one thread, or that are for several.
! required: MPI_THREAD_MULTIPLE
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
  if (me /= threads) then
    call MPI_Send(me, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
  end if
  !$omp end parallel
  !$omp parallel private(me, work, ierr)
  me = omp_get_thread_num()
  select case (me)
  case (2:)
    work = me
  case default
    call MPI_Send(me, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
  end select
  !$omp end parallel
  !$omp parallel private(me, work, ierr)
  me = omp_get_thread_num()
  select case (me)
  case (1:4)
    work = me
  case default
    call MPI_Send(me, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
  end select
  !$omp end parallel
  !$omp parallel private(me, work, ierr)
  me = omp_get_thread_num()
  select case (me)
  case (0)
    work = me
  case (1:)
    call MPI_Send(me, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, ierr) ! expect: mpi-thread-level
  end select
  !$omp end parallel
  call MPI_Finalize(ierr)
end program last_computed
