! As provided_ways_ok.c.
! required: MPI_THREAD_SERIALIZED
program main
  use mpi
  use omp_lib
  implicit none
  integer :: provided, error, i, me, values(16)
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Query_thread(provided, error)
  !$omp parallel do private(error)
  do i = 1, 16
    if (provided == MPI_THREAD_MULTIPLE) then
      call MPI_Send(values(i:), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
    else
      !$omp critical (send)
      call MPI_Send(values(i:), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, error)
      !$omp end critical (send)
    end if
  end do
  !$omp end parallel do
  !$omp parallel private(error, me) if (provided == MPI_THREAD_MULTIPLE)
  me = omp_get_thread_num()
  values(1) = me
  call MPI_Send(values, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, error)
  !$omp end parallel
  call MPI_Finalize(error)
end program
