! Type-bound procedures: one that is called in a region calls no MPI, though another one of its shape does.
! required: MPI_THREAD_SINGLE
module timers
   use mpi
   implicit none
   type, abstract :: timer
   contains
      procedure(print_timer), deferred :: show
      procedure :: start => start_timer
   end type
   abstract interface
      subroutine print_timer(self, level)
         import timer
         class(timer), intent(inout) :: self
         integer, intent(in) :: level
      end subroutine
   end interface
   type, extends(timer) :: clock
   contains
      procedure :: show => show_clock
   end type
   type, extends(clock) :: stopwatch
   end type
   type :: solver
   contains
      procedure :: solve => solve_all
   end type
contains
   subroutine show_clock(self, level)
      class(clock), intent(inout) :: self
      integer, intent(in) :: level
      if (level > 4) print *, level
   end subroutine
   subroutine start_timer(self)
      class(timer), intent(inout) :: self
      call self%show(3)
   end subroutine
   subroutine solve_all(self, steps)
      class(solver), intent(inout) :: self
      integer, intent(in) :: steps
      integer :: ierror
      if (steps > 0) call MPI_Barrier(MPI_COMM_WORLD, ierror)
   end subroutine
   subroutine run(watch, solving)
      class(stopwatch), intent(inout) :: watch
      class(solver), intent(inout) :: solving
      call solving%solve(2)
      !$omp parallel
      !$omp single
      call watch%start()
      !$omp end single
      !$omp end parallel
   end subroutine
end module

program main
   use timers
   implicit none
   type(stopwatch) :: watch
   type(solver) :: solving
   integer :: provided, ierror
   call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
   if (provided < MPI_THREAD_FUNNELED) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
   call run(watch, solving)
   call MPI_Finalize(ierror)
end program
