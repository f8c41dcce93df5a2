! A lock in an object of a type with procedures of its own.
! required: MPI_THREAD_SERIALIZED
module libraries
  use omp_lib
  implicit none
  type :: library_t
    integer(omp_lock_kind) :: lock
    integer :: uses = 0
  contains
    procedure :: make
    procedure :: take
    procedure :: give_back
  end type
  type(library_t), save :: library
contains
  subroutine make(this)
    class(library_t), intent(inout) :: this
    call omp_init_lock(this%lock)
  end subroutine
  subroutine take(this)
    class(library_t), intent(inout) :: this
    call omp_set_lock(this%lock)
    this%uses = this%uses + 1
  end subroutine
  subroutine give_back(this)
    class(library_t), intent(inout) :: this
    call omp_unset_lock(this%lock)
  end subroutine
end module

program class_lock
  use mpi
  use libraries
  implicit none
  type(library_t) :: own
  integer :: provided, ierr, value
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call library%make()
  call own%make()
  value = 1
  !$omp parallel
  call library%take()
  call MPI_Send(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call library%give_back()
  !$omp end parallel
  !$omp parallel
  call own%take()
  call MPI_Send(value, 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, ierr)
  call own%give_back()
  !$omp end parallel
  call by_argument(library)
  call MPI_Finalize(ierr)
contains
  subroutine by_argument(object)
    class(library_t), intent(inout) :: object
    !$omp parallel
    call object%take()
    call MPI_Send(value, 1, MPI_INTEGER, 0, 3, MPI_COMM_SELF, ierr)
    call object%give_back()
    !$omp end parallel
  end subroutine
end program
