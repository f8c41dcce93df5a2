! What is not the thread number, in the same ways.
! required: MPI_THREAD_MULTIPLE
program number_ways
  use mpi_f08
  use omp_lib
  implicit none
  integer :: provided, number
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
  if (provided < MPI_THREAD_SERIALIZED) stop 1
  !$omp parallel private(number)
  number = 0
  !$ number = mod(omp_get_thread_num(), 2)
  select case (number)
  case (0)
    call MPI_Send(number, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF) ! expect: mpi-thread-level
  end select
  !$omp barrier
  if (is_first()) goto 100
  call MPI_Send(number, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF)
  100 continue
  !$omp end parallel
  call MPI_Finalize()
contains
  logical function is_first()
    is_first = omp_get_thread_num() == 0
  end function
end program
