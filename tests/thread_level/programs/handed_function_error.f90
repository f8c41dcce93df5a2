! A dummy procedure with MPI in it is handed over in a team.
! required: MPI_THREAD_MULTIPLE
module search_for
  implicit none
  abstract interface
    function f_of_x(x) result(y)
      real, intent(in) :: x
      real :: y
    end function
  end interface
contains
  function bisect(f, from, to) result(x)
    procedure(f_of_x) :: f
    real, intent(in) :: from, to
    real :: x, low, high
    integer :: i
    low = from
    high = to
    do i = 1, 20
      x = (low + high) / 2
      if (f(x) > 0) then
        high = x
      else
        low = x
      end if
    end do
  end function

  function improve(f, x) result(y)
    procedure(f_of_x) :: f
    real, intent(in) :: x
    real :: y
    y = bisect(f, x - 1, x + 1)
  end function
end module

module functions
  use mpi
  implicit none
contains
  function cubic(x) result(y)
    real, intent(in) :: x
    real :: y
    y = x**3 - 2
  end function

  function mean(x) result(y)
    real, intent(in) :: x
    real :: y
    integer :: ierr
    call MPI_Allreduce(x, y, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
  end function
end module

program main
  use mpi
  use search_for
  use functions
  implicit none
  integer :: ierr, provided
  real :: x, y
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  x = improve(mean, 1.)
  !$omp parallel private(y)
  y = improve(cubic, 2.)
  y = bisect(mean, 0., y)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
