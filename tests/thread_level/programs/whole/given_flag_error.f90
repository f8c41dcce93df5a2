! A flag of all threads goes to a procedure of another file, which may write to it for all that is known.
! required: MPI_THREAD_MULTIPLE
! file: exchange.f90
subroutine exchange(value, is_first)
    use mpi
    implicit none
    double precision :: value
    integer :: is_first, error
    if (is_first == 1) call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, error) ! expect: mpi-thread-level
end subroutine
! file: main.f90
program given
    use omp_lib
    use mpi
    implicit none
    integer :: provided, error, is_first
    double precision :: value
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    value = 1
    !$omp parallel private(is_first)
    is_first = 0
    if (omp_get_thread_num() >= 0) is_first = 1
    call exchange(value, is_first)
    !$omp end parallel
    call MPI_Finalize(error)
end program
