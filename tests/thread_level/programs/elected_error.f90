! Each thread has a flag of its own, or the flag stays as it was.
! required: MPI_THREAD_MULTIPLE
program elected
    use mpi
    implicit none
    integer :: provided, error, taken
    logical :: mine, found
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    taken = 0
    found = .false.
    !$omp parallel private(mine) firstprivate(taken)
    mine = .false.
    !$omp critical
    if (taken == 0) then
        taken = 1
        mine = .true.
    end if
    !$omp end critical
    if (mine) call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    !$omp parallel private(mine) shared(found)
    mine = .false.
    !$omp critical
    if (.not. found) then
        found = .false.
        mine = .true.
    end if
    !$omp end critical
    if (mine) call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-concurrent-collectives
    !$omp end parallel
    call MPI_Finalize(error)
end program
