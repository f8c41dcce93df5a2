! Every OpenMP construct that GCC 12 takes in Fortran; see all_constructs.c.
! required: MPI_THREAD_MULTIPLE
module parts
  use mpi
  use omp_lib
  implicit none
  integer :: total, ierr
  integer, save :: mine
  !$omp threadprivate(mine)
  !$omp declare reduction(plus : integer : omp_out = omp_out + omp_in) initializer(omp_priv = 0)
contains
  elemental integer function twice(x)
    !$omp declare simd
    integer, intent(in) :: x
    twice = 2 * x
  end function

  subroutine barrier()
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine loops(n)
    integer, intent(in) :: n
    integer :: i, j, a(64)
    !$omp parallel do schedule(guided) collapse(2) reduction(plus : total)
    do i = 1, n
      do j = 1, n
        total = total + i * j
      end do
    end do
    !$omp end parallel do
    !$omp parallel
    !$omp do simd
    do i = 1, 64
      a(i) = twice(i)
    end do
    !$omp end do simd nowait
    !$omp do ordered
    do i = 1, n
      !$omp ordered
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      !$omp end ordered
    end do
    !$omp end do
    !$omp workshare
    a = a + 1
    !$omp end workshare
    !$omp end parallel
    !$omp parallel workshare
    where (a > 3) a = 0
    !$omp end parallel workshare
    do concurrent (i = 1:64)
      a(i) = i
    end do
    !$omp parallel do simd
    do i = 1, 64
      a(i) = i
    end do
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine

  subroutine one_thread(n)
    integer, intent(in) :: n
    integer :: copy
    !$omp parallel private(copy)
    !$omp single
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end single copyprivate(copy)
    !$omp single
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end single nowait
    !$omp master
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end master
    !$omp masked filter(n)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end masked
    !$omp scope
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end scope nowait
    !$omp sections
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp section
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end sections
    !$omp critical (named)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end critical (named)
    !$omp atomic
    total = total + 1
    !$omp flush
    !$omp barrier
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
    !$omp parallel masked
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel masked
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine

  subroutine tasks(n)
    integer, intent(in) :: n
    integer :: x, i
    !$omp parallel
    !$omp single
    !$omp task depend(out : x)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end task
    !$omp task depend(in : x) if(.false.)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end task
    !$omp taskwait depend(in : x)
    !$omp taskyield
    !$omp taskgroup
    !$omp task
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end task
    !$omp end taskgroup
    !$omp taskloop
    do i = 1, n
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
    !$omp end taskloop
    !$omp taskwait
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end single
    !$omp end parallel
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine

  subroutine devices(n)
    integer, intent(in) :: n
    integer :: x
    x = n
    !$omp target data map(tofrom : x)
    !$omp target
    x = x + 1
    !$omp end target
    !$omp target update from(x)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end target data
    !$omp target enter data map(to : x)
    !$omp target exit data map(from : x)
    !$omp teams num_teams(1)
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
    !$omp end teams
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine

  subroutine cancelled(n)
    integer, intent(in) :: n
    integer :: i
    !$omp parallel
    !$omp do
    do i = 1, n
      !$omp cancel do if (i == 3)
      !$omp cancellation point do
    end do
    !$omp end do
    !$omp end parallel
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  end subroutine

  recursive subroutine nested(n, callback)
    integer, intent(in) :: n
    interface
      subroutine callback()
      end subroutine
    end interface
    class(*), allocatable :: anything
    character(len=n) :: text
    integer, allocatable :: array(:)
    allocate(array(n), source=1)
    allocate(anything, source=text)
    select type (anything)
    type is (integer)
      array = anything
    end select
    associate (first => array(1))
      !$omp parallel if (n > 1) num_threads(2) firstprivate(array)
      block
        integer :: local
        local = first
        if (omp_get_thread_num() == 0) call contained(local)
        call callback()
      end block
      !$omp end parallel
    end associate
    if (n > 3) call nested(n - 1, inner)
    if (n > 4) stop 'four'
    goto 10
    write (*, *) 'never', n
10  continue
    !$omp parallel
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    !$omp end parallel
  contains
    subroutine contained(k)
      integer, intent(in) :: k
      !$omp parallel
      total = total + k + n
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      !$omp end parallel
    end subroutine
    subroutine inner()
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end subroutine
  end subroutine
end module

program all_constructs
  use parts
  implicit none
  integer :: provided, n
  n = command_argument_count()
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  if (provided < MPI_THREAD_MULTIPLE) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call loops(n)
  call one_thread(n)
  call tasks(n)
  call devices(n)
  call cancelled(n)
  call nested(n, barrier)
  call MPI_Finalize(ierr)
end program
