! The module initializes MPI if the program has not. The second time, in the region, it is there.
! required: MPI_THREAD_SERIALIZED
module shared_sums
  use mpi
  implicit none
contains
  subroutine be_ready()
    logical :: is_there
    integer :: provided, error
    call MPI_Initialized(is_there, error)
    if (.not. is_there) then
      call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
      if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end if
  end subroutine

  subroutine add_up(part, total)
    double precision, intent(in) :: part
    double precision, intent(out) :: total
    integer :: error
    call be_ready()
    call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine
end module

program sums
  use shared_sums
  implicit none
  double precision :: part, total
  integer :: error
  part = 1
  call add_up(part, total)
  !$omp parallel
  !$omp single
  call add_up(part, total)
  !$omp end single
  !$omp end parallel
  call MPI_Finalize(error)
end program
