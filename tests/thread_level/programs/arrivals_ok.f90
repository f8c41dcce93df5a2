! Of threads that count themselves, the last one calls.
! required: MPI_THREAD_SERIALIZED
program p
  use omp_lib
  use mpi
  implicit none
  integer :: ierr, provided, arrived, place
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  arrived = 0
  !$omp parallel private(place, ierr)
  !$omp atomic capture
  arrived = arrived + 1
  place = arrived
  !$omp end atomic
  if (place == omp_get_num_threads()) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  !$omp end parallel
  call MPI_Finalize(ierr)
end program p
