! Flags that are narrowed for some threads only, or not before they are asked.
! required: MPI_THREAD_MULTIPLE
program main
    use mpi
    use omp_lib
    implicit none
    integer :: error, provided, rank
    logical :: mine
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    mine = rank == 0
    !$omp parallel firstprivate(mine)
    if (rank > 2) mine = mine .and. omp_get_thread_num() == 0
    if (mine) call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end parallel
    !$omp parallel firstprivate(mine)
    if (mine) call MPI_Send(rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    mine = mine .and. omp_get_thread_num() == 0
    !$omp end parallel
    !$omp parallel private(mine)
    call who(mine)
    if (mine) call MPI_Send(rank, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
    !$omp end parallel
    call MPI_Finalize(error)
contains
    subroutine who(is_master)
        logical, intent(out) :: is_master
        is_master = omp_get_thread_num() < 2
    end subroutine who
end program main
