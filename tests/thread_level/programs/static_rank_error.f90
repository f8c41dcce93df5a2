! As static_rank_error.c.
! required: MPI_THREAD_MULTIPLE
module place
  implicit none
  integer, save, private :: rank = 0
contains
  subroutine find()
    use mpi
    integer :: error
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  end subroutine
  subroutine talk(value)
    use mpi
    use omp_lib
    integer, intent(inout) :: value
    integer :: me, error
    me = omp_get_thread_num()
    if (me > 0) then
      if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! expect: mpi-thread-level
    end if
  end subroutine
end module

program main
  use mpi
  use place
  implicit none
  integer :: provided, error, value
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call find()
  !$omp parallel private(value)
  value = 1
  call talk(value)
  !$omp end parallel
  call MPI_Finalize(error)
end program
