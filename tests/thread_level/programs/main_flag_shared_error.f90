! What one thread has been told about itself, all threads of a team read.
! required: MPI_THREAD_MULTIPLE
program main_flag_shared
    use mpi
    implicit none
    logical :: asked_outside, asked_by_all
    integer :: provided, ierr
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
    if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call MPI_Is_thread_main(asked_outside, ierr)
    !$omp parallel private(ierr)
    if (asked_outside) call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    !$omp parallel private(ierr)
    call MPI_Is_thread_main(asked_by_all, ierr)
    if (asked_by_all) call MPI_Barrier(MPI_COMM_WORLD, ierr) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
