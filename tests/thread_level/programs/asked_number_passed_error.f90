! What a procedure gives by reference is not the number of the thread, or counts from 1 and is
! compared with that of another one.
! required: MPI_THREAD_MULTIPLE
program main
    use mpi
    implicit none
    integer :: error, provided, me, part
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    !$omp parallel private(me, part)
    call ask(me)
    call send(me)
    call ask_part(part)
    call exchange(part)
    !$omp end parallel
    call MPI_Finalize(error)
end program main

subroutine send(me)
    use mpi
    implicit none
    integer :: me, error
    if (me .eq. 2) call MPI_Send(me, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
end subroutine send

subroutine exchange(part)
    use mpi
    implicit none
    integer :: part, error
    if (part .eq. 1) call MPI_Barrier(MPI_COMM_WORLD, error) ! expect: mpi-concurrent-collectives
end subroutine exchange

subroutine ask(me)
    implicit none
    integer :: me
    !$ integer, external :: omp_get_thread_num
    me = 1
    !$ me = omp_get_thread_num() + 1
end subroutine ask

subroutine ask_part(part)
    implicit none
    integer :: part
    !$ integer, external :: omp_get_thread_num
    part = 1
    !$ part = omp_get_thread_num() / 2 + 1
end subroutine ask_part
