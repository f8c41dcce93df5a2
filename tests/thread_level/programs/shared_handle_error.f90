! One object with a communicator for all threads, which a type-bound procedure gets.
! required: MPI_THREAD_MULTIPLE
module environments
  use mpi
  implicit none
  type :: environment
    integer :: group = MPI_COMM_NULL
  contains
    procedure :: sum => environment_sum
  end type environment
contains
  subroutine environment_sum(self, x)
    class(environment), intent(in) :: self
    real(8), intent(inout) :: x
    integer :: ierror
    call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_REAL8, MPI_SUM, self%group, ierror) ! expect: mpi-concurrent-collectives
  end subroutine environment_sum

  subroutine energy(env)
    type(environment), intent(in) :: env
    real(8) :: x
    !$omp parallel private(x)
    x = 1
    call env%sum(x)
    !$omp end parallel
  end subroutine energy
end module environments

program shared_handle
  use environments
  implicit none
  type(environment), pointer :: env
  integer :: provided, ierror

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  allocate(env)
  call MPI_Comm_dup(MPI_COMM_WORLD, env%group, ierror)
  call energy(env)
  call MPI_Finalize(ierror)
end program shared_handle
