! The thread that finds a flag as it was calls MPI: by an atomic capture, and in a critical section.
! required: MPI_THREAD_SERIALIZED
program elected
    use mpi
    implicit none
    integer :: provided, error, before, captured, taken
    logical :: mine, found
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    captured = 0
    taken = 0
    found = .false.
    !$omp parallel private(before) shared(captured)
    !$omp atomic capture
    before = captured
    captured = 1
    !$omp end atomic
    if (before == 0) call MPI_Barrier(MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(mine) shared(taken)
    mine = .false.
    !$omp critical
    if (taken == 0) then
        taken = 1
        mine = .true.
    end if
    !$omp end critical
    if (mine) call MPI_Barrier(MPI_COMM_WORLD, error)
    !$omp end parallel
    !$omp parallel private(mine) shared(found)
    mine = .false.
    !$omp critical
    if (.not. found) then
        found = .true.
        mine = .true.
    end if
    !$omp end critical
    if (mine) call MPI_Barrier(MPI_COMM_WORLD, error)
    !$omp end parallel
    call MPI_Finalize(error)
end program
