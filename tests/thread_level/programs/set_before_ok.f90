! A variable that is set to another constant in front of a condition, as with "!$" lines.
! required: MPI_THREAD_MULTIPLE
program set_before
    use mpi
    implicit none
    integer :: ierr, provided, is_hybrid, i
    is_hybrid = 0
    !$ is_hybrid = 1
    !$ call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
    !$ if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    if (is_hybrid == 0) call MPI_Init(ierr)
    !$omp parallel do private(ierr)
    do i = 1, 8
        call MPI_Send(i, 1, MPI_INTEGER, MPI_PROC_NULL, i, MPI_COMM_WORLD, ierr)
    end do
    call MPI_Finalize(ierr)
end program
