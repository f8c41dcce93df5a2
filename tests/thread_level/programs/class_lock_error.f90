! Locks in objects, one for each thread, of a type with procedures of its own.
! required: MPI_THREAD_MULTIPLE
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
  type(library_t), save :: library, others(0:7)
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
  type(library_t) :: own(0:7)
  integer :: provided, ierr, value
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  if (provided < MPI_THREAD_SERIALIZED) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call library%make(); call others(1)%make()
  call own(1)%make()
  value = 1
  !$omp parallel
  if (omp_get_thread_num() == 0) then
    call others(1)%take()
  else
    call library%take()
  end if
  call MPI_Send(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr) ! expect: mpi-thread-level
  if (omp_get_thread_num() == 0) then
    call others(1)%give_back()
  else
    call library%give_back()
  end if
  !$omp end parallel
  !$omp parallel
  call own(omp_get_thread_num())%take()
  call MPI_Send(value, 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, ierr) ! expect: mpi-thread-level
  call own(omp_get_thread_num())%give_back()
  !$omp end parallel
  call by_argument(library)
  !$omp parallel sections
  call send_with(library, 4)
  !$omp section
  call send_with(others(1), 5)
  !$omp end parallel sections
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
  subroutine send_with(object, tag)
    class(library_t), intent(inout) :: object
    integer, intent(in) :: tag
    call object%take()
    call MPI_Send(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_SELF, ierr) ! expect: mpi-thread-level
    call object%give_back()
  end subroutine
end program
