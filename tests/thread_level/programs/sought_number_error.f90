! The second thread, of those that have looked for their numbers, calls MPI.
! required: MPI_THREAD_SERIALIZED
module work
    use mpi
    implicit none
    integer :: threads = 4
    logical :: boot_error = .false.
    logical :: complete(16)
    double precision :: shared_sum
contains
    subroutine barrier(me)
        integer, intent(in) :: me
        complete(me) = .false.
        !$omp barrier
    end subroutine
    subroutine global_sum(value, me)
        double precision :: value
        integer, intent(in) :: me
        integer :: error
        call barrier(me)
        if (me == 2) then
            call MPI_Allreduce(MPI_IN_PLACE, shared_sum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
        end if
        call barrier(me)
        value = shared_sum
    end subroutine
    subroutine model(me)
        integer, intent(in) :: me
        double precision :: value
        integer :: step
        do step = 1, 10
            value = 1
            call global_sum(value, me)
        end do
    end subroutine
end module
program main
    use work
    use omp_lib
    implicit none
    integer :: me, i, provided, error
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    call omp_set_num_threads(threads)
    !$omp parallel shared(threads), private(i, me)
    do i = 1, threads
        if (omp_get_thread_num() == i - 1) then
            me = i
            if (.not. boot_error) call model(me)
            complete(me) = .true.
            if (.not. boot_error) call barrier(me)
        end if
    end do
    !$omp end parallel
    call MPI_Finalize(error)
end program
