! Whether there is a team depends on a variable, and what the team calls looks at it again.
! required: MPI_THREAD_SINGLE
program main
  use mpi
  implicit none
  logical :: hybrid = .false.
  integer :: ierr, provided, i
  real :: total = 0.
  character(len=8) :: text

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call read_options()
  if (hybrid) then
    !$omp parallel
    call add(1.)
    !$omp end parallel
  else
    call add(2.)
  end if
  !$omp parallel do if (hybrid)
  do i = 1, 10
    call add(real(i))
  end do
  call MPI_Finalize(ierr)
contains
  subroutine read_options()
    call get_environment_variable('HYBRID', text)
    hybrid = text /= ' '
  end subroutine

  subroutine add(x)
    real, intent(in) :: x
    real :: y
    if (.not. hybrid) then
      y = x
      call MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr)
      total = total + y
      return
    end if
    !$omp atomic
    total = total + x
  end subroutine
end program
