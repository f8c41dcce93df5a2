! As freed_info_ok.c. required: MPI_THREAD_FUNNELED
program freed_info_ok
  use mpi
  implicit none
  integer :: info, own, group, provided, ranks, ierr
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Info_create(info, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  !$omp parallel private(own, ierr)
  call MPI_Info_create(own, ierr)
  call MPI_Info_free(own, ierr)
  !$omp single
  call MPI_Info_set(info, 'key', 'value', ierr)
  !$omp end single
  !$omp single
  call MPI_Info_free(info, ierr)
  !$omp end single
  !$omp master
  call MPI_Group_size(group, ranks, ierr)
  call MPI_Group_free(group, ierr)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize(ierr)
end program
