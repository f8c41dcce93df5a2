! Each thread asks for itself, or only the one that has been told.
! required: MPI_THREAD_FUNNELED
program main_flag_shared
    use mpi
    implicit none
    logical :: is_main
    integer :: provided, ierr
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call MPI_Is_thread_main(is_main, ierr)
    if (is_main) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp parallel private(ierr, is_main)
    call MPI_Is_thread_main(is_main, ierr)
    if (is_main) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
    !$omp parallel private(ierr)
    block
        logical :: mine
        call MPI_Is_thread_main(mine, ierr)
        if (mine) call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end block
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
