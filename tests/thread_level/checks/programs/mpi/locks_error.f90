! expect: unordered a a
! expect: context a 2
! says: 1 by thread . of 2 and MPI_Barrier at locks.f90:30 by thread . of 2 .* MPI_THREAD_MULTIPLE
! Each thread has a lock of its own.
program locks
  use iso_c_binding
  use omp_lib
  use mpi
  implicit none
  interface
    subroutine mpi_thread_level_call(site, communicator) bind(c)
      import
      character(kind=c_char), intent(in) :: site(*)
      integer(c_int), intent(in) :: communicator
    end subroutine
    subroutine mpi_thread_level_return(site) bind(c)
      import
      character(kind=c_char), intent(in) :: site(*)
    end subroutine
  end interface
  character(len=*), parameter :: tab = achar(9)
  character(len=*), parameter :: site = "1" // tab // "-" // tab // "r" // tab // "MPI_Barrier" &
      // tab // "a" // tab // "30" // tab // "0" // tab // "locks.f90" // achar(0)
  integer(omp_lock_kind) :: lock(0:1)
  integer :: provided, error
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
  call omp_init_lock(lock(0))
  call omp_init_lock(lock(1))
  !$omp parallel num_threads(2)
  call omp_set_lock(lock(omp_get_thread_num()))
  call mpi_thread_level_call(site, MPI_COMM_SELF)
  call mpi_thread_level_return(site)
  call omp_unset_lock(lock(omp_get_thread_num()))
  !$omp end parallel
  call MPI_Finalize(error)
end program
