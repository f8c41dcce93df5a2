! A procedure gives the number of the thread, from 1 on, by reference. What gets it hands it on.
! required: MPI_THREAD_FUNNELED
program main
    use mpi
    implicit none
    integer :: error, provided, me
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    !$omp parallel private(me)
    call ask(me)
    call step(me)
    if (me .eq. 1) call MPI_Barrier(MPI_COMM_WORLD, error)
    !$omp end parallel
    call MPI_Finalize(error)
end program main

subroutine step(me)
    implicit none
    integer :: me
    call exchange(me)
end subroutine step

subroutine exchange(me)
    use mpi
    implicit none
    integer :: me, error
    if (me .eq. 1) call MPI_Barrier(MPI_COMM_WORLD, error)
end subroutine exchange

subroutine ask(me)
    implicit none
    integer :: me
    !$ integer, external :: omp_get_thread_num
    me = 1
    !$ me = omp_get_thread_num() + 1
end subroutine ask
