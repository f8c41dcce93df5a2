! Procedures of another file give the number of the thread, counted from 1 or from 0, as a result or in an
! argument.
! required: MPI_THREAD_FUNNELED
! file: threads.f90
subroutine get_thread(number)
    use omp_lib
    implicit none
    integer, intent(out) :: number
    number = 1
    !$ number = omp_get_thread_num() + 1
end subroutine
subroutine get_both(number, threads)
    use omp_lib
    implicit none
    integer, intent(out) :: number, threads
    number = omp_get_thread_num()
    threads = omp_get_num_threads()
end subroutine
integer function my_thread()
    use omp_lib
    implicit none
    my_thread = omp_get_thread_num() + 1
end function
! file: model.f90
subroutine model(thread)
    use mpi
    implicit none
    integer, intent(in) :: thread
    integer :: error
    if (thread == 1) call MPI_Barrier(MPI_COMM_WORLD, error)
end subroutine
! file: main.f90
program main
    use mpi
    implicit none
    integer :: provided, error, thread, threads
    integer, external :: my_thread
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    !$omp parallel private(thread)
    call get_thread(thread)
    if (thread == 1) call MPI_Barrier(MPI_COMM_WORLD, error) ! compiler: mpi-concurrent-collectives
    !$omp barrier
    call model(thread)
    !$omp end parallel
    !$omp parallel private(thread, threads)
    call get_both(thread, threads)
    if (thread == 0) call MPI_Barrier(MPI_COMM_WORLD, error) ! compiler: mpi-concurrent-collectives
    !$omp end parallel
    !$omp parallel private(thread)
    thread = my_thread()
    if (thread == 1) call MPI_Barrier(MPI_COMM_WORLD, error) ! compiler: mpi-concurrent-collectives
    !$omp end parallel
    call MPI_Finalize(error)
end program
