! A function says whether MPI is initialized.
! required: MPI_THREAD_MULTIPLE
module library
  use mpi
  implicit none
contains
  logical function is_up()
    integer :: ierr
    call mpi_initialized(is_up, ierr)
  end function
  subroutine library_init
    integer :: ierr
    if (.not. is_up()) call mpi_init(ierr)
  end subroutine
end module
program p
  use library
  use omp_lib
  implicit none
  integer :: provided, ierr, me
  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call mpi_abort(MPI_COMM_WORLD, 1, ierr)
  call library_init
!$omp parallel private(me, ierr)
  me = omp_get_thread_num()
  call mpi_send(me, 1, MPI_INTEGER, 0, me, MPI_COMM_WORLD, ierr)
!$omp end parallel
  call mpi_finalize(ierr)
end program
