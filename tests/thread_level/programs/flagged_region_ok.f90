! A variable of a module says that a team is at work, and what it calls does without MPI then.
! required: MPI_THREAD_SINGLE
module load
    use mpi
    implicit none
    logical, save :: disabled = .false.
    double precision, save :: total = 0
contains
    subroutine update(x)
        double precision, intent(in) :: x
        integer :: error
        if (disabled) return
        total = total + x
        call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
                           MPI_COMM_WORLD, error)
    end subroutine
end module

program flagged_region
    use load
    implicit none
    integer :: ierr, provided, i
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call update(1d0)
    disabled = .true.
    !$omp parallel do
    do i = 1, 100
        call update(1d0)
    end do
    !$omp end parallel do
    disabled = .false.
    call update(1d0)
    call MPI_Finalize(ierr)
end program
