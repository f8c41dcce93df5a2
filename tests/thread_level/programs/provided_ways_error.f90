! As provided_ways_error.c.
! required: MPI_THREAD_MULTIPLE
program main
  use mpi
  use omp_lib
  implicit none
  integer :: provided, error, i, me, values(16)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  !$omp parallel do private(error)
  do i = 1, 16
    if (provided == MPI_THREAD_SERIALIZED) then
      call MPI_Send(values(i:), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    end if
  end do
  !$omp end parallel do
  !$omp parallel private(error, me) if (provided >= MPI_THREAD_SERIALIZED)
  me = omp_get_thread_num()
  values(1) = me
  call MPI_Send(values, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
  !$omp end parallel
  call MPI_Finalize(error)
end program
