! The number is raised by some threads only, twice, in a loop, or not where a thread goes past that.
! required: MPI_THREAD_MULTIPLE
module workers
  use mpi
  use omp_lib
  implicit none
contains
  subroutine by_some(blocks)
    integer, intent(in) :: blocks
    integer :: worker, ierr
    !$omp parallel private(worker, ierr)
    worker = omp_get_thread_num()
    if (worker < blocks) worker = worker + 1
    if (worker == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
    !$omp end parallel
  end subroutine
  subroutine twice(blocks)
    integer, intent(in) :: blocks
    integer :: worker, share, ierr
    !$omp parallel private(worker, share, ierr)
    worker = omp_get_thread_num()
    share = blocks
    if (blocks > 2) share = 2
    worker = worker + 1
    if (share > 1) worker = worker + 1
    if (worker == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
    !$omp end parallel
  end subroutine
  subroutine each_time(blocks)
    integer, intent(in) :: blocks
    integer :: worker, i, total, ierr
    !$omp parallel private(worker, i, total, ierr)
    worker = omp_get_thread_num()
    total = 0
    do i = 1, blocks
      total = total + i
      worker = worker + 1
    end do
    if (worker == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
    !$omp end parallel
  end subroutine
  subroutine passed_by(blocks)
    integer, intent(in) :: blocks
    integer :: worker, ierr
    !$omp parallel private(worker, ierr)
    worker = omp_get_thread_num()
    if (worker > blocks) goto 10
    worker = worker + 1
10  if (worker == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)  ! expect: mpi-concurrent-collectives
    !$omp end parallel
  end subroutine
end module
program raised_later
  use workers
  integer :: provided, ierr
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call by_some(4)
  call twice(4)
  call each_time(4)
  call passed_by(4)
  call MPI_Finalize(ierr)
end program
