! The index of a worksharing loop, compared where it has been handed to: one iteration is one thread's.
! required: MPI_THREAD_SERIALIZED
program index_handed
    use mpi
    implicit none
    integer :: ierr, provided, block
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    !$omp parallel do
    do block = 1, 10
        call step(block)
    end do
    !$omp end parallel do
    call MPI_Finalize(ierr)
contains
    subroutine step(number)
        integer, intent(in) :: number
        call exchange(number)
    end subroutine

    subroutine exchange(number)
        integer, intent(in) :: number
        integer :: error
        if (number == 1) call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine
end program
