! As freed_info_error.c. required: MPI_THREAD_MULTIPLE
program freed_info_error
  use mpi
  implicit none
  integer :: info, group, provided, ranks, ierr
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Info_create(info, ierr)
  !$omp parallel num_threads(2)
  !$omp single
  call MPI_Info_set(info, 'key', 'value', ierr) ! expect: mpi-concurrent-request
  !$omp end single nowait
  !$omp single
  call MPI_Info_free(info, ierr)
  !$omp end single
  !$omp end parallel
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  !$omp parallel sections
  !$omp section
  call MPI_Group_size(group, ranks, ierr)
  !$omp section
  call MPI_Group_free(group, ierr) ! expect: mpi-concurrent-request
  !$omp end parallel sections
  call MPI_Finalize(ierr)
end program
