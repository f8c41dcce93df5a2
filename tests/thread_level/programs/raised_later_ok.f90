! Threads count from 1: the number is raised in its own variable, with other things in between, which
! leave it alone, or only compare its order.
! required: MPI_THREAD_FUNNELED
module workers
  use mpi
  use omp_lib
  implicit none
contains
  subroutine report(worker)
    integer, intent(in) :: worker
    if (worker < 0) print *, worker
  end subroutine
  subroutine by_size(blocks, verbose)
    integer, intent(in) :: blocks
    logical, intent(in), optional :: verbose
    integer :: worker, share, ierr
    !$omp parallel private(worker, share, ierr)
    worker = omp_get_thread_num()
    share = blocks / 2
    if (present(verbose)) share = share + 1
    if (worker >= blocks) share = 0
    worker = worker + 1
    !$omp barrier
    if (worker == 1 .and. share >= 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine
  subroutine handed_on(blocks)
    integer, intent(in) :: blocks
    integer :: worker, i, total, ierr
    !$omp parallel private(worker, i, total, ierr)
    total = 0
    worker = omp_get_thread_num()
    do i = 1, blocks
      total = total + i
    end do
    worker = worker + 1
    call report(worker)
    if (worker == 1) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine
  subroutine each_round(blocks)
    integer, intent(in) :: blocks
    integer :: worker, i, total, ierr
    !$omp parallel private(worker, i, total, ierr)
    do i = 1, blocks
      worker = omp_get_thread_num()
      total = 0
      if (i > 1) total = i
      worker = worker + 1
      !$omp barrier
      if (worker == 1 .and. total >= 0) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
    !$omp end parallel
  end subroutine
end module
program raised_later
  use workers
  integer :: provided, ierr
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call by_size(4)
  call handed_on(4)
  call each_round(4)
  call MPI_Finalize(ierr)
end program
