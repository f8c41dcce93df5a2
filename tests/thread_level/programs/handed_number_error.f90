! Another number than the thread's goes to a subroutine that asks for it.
! required: MPI_THREAD_MULTIPLE
module exchanges
   use mpi
   implicit none
contains
   subroutine exchange(thread)
      integer, intent(in) :: thread
      integer :: ierror
      if (thread == 0) then
         call MPI_Barrier(MPI_COMM_WORLD, ierror) ! expect: mpi-concurrent-collectives
      end if
   end subroutine
end module

program main
   use exchanges
   use omp_lib
   implicit none
   integer :: provided, ierror, thread, step
   call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
   if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
   step = command_argument_count()
   !$omp parallel private(thread)
   thread = omp_get_thread_num()
   call exchange(step)
   !$omp end parallel
   call MPI_Finalize(ierror)
end program
