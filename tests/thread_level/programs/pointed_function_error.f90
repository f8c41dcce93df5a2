! As pointed_function_ok.f90, but the pointers that threads call by may point to what communicates.
! required: MPI_THREAD_MULTIPLE
module solvers
  use mpi
  implicit none
  abstract interface
    subroutine operation(value)
      integer, intent(inout) :: value
    end subroutine
  end interface
  type :: solver
    procedure(operation), pointer, nopass :: exchange => null()
    procedure(operation), pointer, nopass :: relax => null()
  end type
  procedure(operation), pointer :: report => null()
  procedure(operation), pointer :: smooth => null()
contains
  subroutine exchange_halo(value)
    integer, intent(inout) :: value
    integer :: error
    call MPI_Send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)  ! expect: mpi-thread-level
  end subroutine
  subroutine relax_points(value)
    integer, intent(inout) :: value
    value = value + 1
  end subroutine
  subroutine setup(one)
    type(solver), intent(inout) :: one
    one%exchange => exchange_halo
    one%relax => relax_points
    report => exchange_halo
    smooth => relax_points
    if (command_argument_count() > 0) smooth => exchange_halo
  end subroutine
end module

program main
  use solvers
  implicit none
  type(solver) :: one
  integer :: provided, error, own
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call setup(one)
  own = 0
  !$omp parallel firstprivate(own)
  call one%relax(own)
  call smooth(own)
  !$omp end parallel
  call one%exchange(own)
  call report(own)
  call MPI_Finalize(error)
end program
