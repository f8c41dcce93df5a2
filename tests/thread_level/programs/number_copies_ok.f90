! The number of the thread, kept for each thread, is asked for, and has 1 added to it; an argument
! that may be left out; a condition on the provided level in front.
! required: MPI_THREAD_FUNNELED
module numbers
  implicit none
  integer, save :: own
  !$omp threadprivate(own)
contains
  subroutine set_numbers()
    use omp_lib
    !$omp parallel
    own = omp_get_thread_num()
    !$omp end parallel
  end subroutine
  subroutine ask(number)
    integer, intent(out) :: number
    number = own + 1
  end subroutine
  subroutine barrier(number)
    use mpi
    integer, intent(in), optional :: number
    integer :: ierr
    if (present(number)) then
      if (number == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    else
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end if
  end subroutine
end module
program number_copies
  use mpi
  use omp_lib
  use numbers
  implicit none
  integer :: provided, ierr, asked, raised, number
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call set_numbers()
  call barrier()
  !$omp parallel private(asked, raised, number, ierr)
  call ask(asked)
  if (asked == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp barrier
  raised = own + 1
  if (raised == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp barrier
  call barrier(omp_get_thread_num())
  !$omp barrier
  number = omp_get_thread_num()
  if (provided >= MPI_THREAD_FUNNELED .and. number == 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
