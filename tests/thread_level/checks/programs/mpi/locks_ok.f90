! expect: context a 2
! Only one thread at a time.
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
  call omp_set_lock(lock(0))
  call mpi_thread_level_call(site, MPI_COMM_SELF)
  call mpi_thread_level_return(site)
  call omp_unset_lock(lock(0))
  !$omp barrier
  !$omp critical
  call mpi_thread_level_call(site, MPI_COMM_SELF)
  call mpi_thread_level_return(site)
  !$omp end critical
  !$omp end parallel
  call MPI_Finalize(error)
end program
