! Whether a lock has been taken is told to the caller, in an argument that is then asked.
! required: MPI_THREAD_SERIALIZED
module locked
    use mpi
    use omp_lib
    implicit none
contains
    subroutine try(lock, done)
        integer(omp_lock_kind), intent(inout) :: lock
        logical, intent(out) :: done
        integer :: error
        done = omp_test_lock(lock)
        if (done) then
            call MPI_Barrier(MPI_COMM_WORLD, error)
            call omp_unset_lock(lock)
        end if
    end subroutine
end module

program try_lock_told
    use locked
    implicit none
    integer :: ierr, provided
    integer(omp_lock_kind) :: lock
    logical :: done
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
    if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call omp_init_lock(lock)
    !$omp parallel private(done)
    done = .false.
    do while (.not. done)
        call try(lock, done)
    end do
    !$omp end parallel
    call MPI_Finalize(ierr)
end program
