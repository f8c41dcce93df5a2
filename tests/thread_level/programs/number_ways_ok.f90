! The thread number in a variable with a value before, in select case, and behind .not.
! required: MPI_THREAD_FUNNELED
program number_ways
  use mpi_f08
  use omp_lib
  implicit none
  integer :: provided, number
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  if (provided < MPI_THREAD_FUNNELED) stop 1
  !$omp parallel private(number)
  number = 0
  !$ number = omp_get_thread_num()
  if (number == 0) call MPI_Barrier(MPI_COMM_WORLD)
  select case (number)
  case (0)
    call MPI_Barrier(MPI_COMM_WORLD)
  end select
  if (.not. is_first()) goto 100
  call MPI_Barrier(MPI_COMM_WORLD)
  100 continue
  !$omp end parallel
  call MPI_Finalize()
contains
  logical function is_first()
    is_first = omp_get_thread_num() == 0
  end function
end program
