! A flag that the first thread sets is handed to a subroutine.
! required: MPI_THREAD_FUNNELED
module reports
    use mpi
    use omp_lib
    implicit none
contains
    subroutine report(is_master)
        logical, intent(in) :: is_master
        integer :: error
        if (is_master) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine
end module

program master_flag_handed
    use reports
    implicit none
    integer :: ierr, provided
    logical :: is_master
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel private(is_master)
    is_master = .false.
    !$omp master
    is_master = .true.
    !$omp end master
    call report(is_master)
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
