! Functions and flags that say whether a thread communicates, narrowed where there is OpenMP.
! required: MPI_THREAD_FUNNELED
program main
    use mpi
    use omp_lib
    implicit none
    integer :: error, provided, rank
    logical :: mine, is_mine
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    !$omp parallel private(mine, is_mine)
    if (is_io_thread()) call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
    if (is_first()) call MPI_Send(rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
    mine = rank == 0
    !$ mine = mine .and. omp_get_thread_num() == 0
    if (mine) call MPI_Send(rank, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, error)
    call who(is_mine)
    if (is_mine) call MPI_Send(rank, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, error)
    !$omp end parallel
    mine = rank == 0
    !$omp parallel firstprivate(mine)
    !$ mine = mine .and. omp_get_thread_num() == 0
    if (mine) call MPI_Send(rank, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, error)
    !$omp end parallel
    call MPI_Finalize(error)
contains
    subroutine who(is_master)
        logical, intent(out) :: is_master
        is_master = omp_get_thread_num() == 0
    end subroutine who

    logical function is_io_thread()
        is_io_thread = rank == 0
        !$ is_io_thread = is_io_thread .and. omp_get_thread_num() == 0
    end function is_io_thread

    logical function is_first()
        is_first = .true.
        !$ if (omp_get_thread_num() /= 0) is_first = .false.
    end function is_first
end program main
