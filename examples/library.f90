! y(i) = A(i,j) * x(j) by the Strata library from Fortran, for a matrix whose arrays the program owns.
! Prints y.
!
!   gfortran -std=f2018 examples/library.f90 -Lbuild/lib -lstrata -Wl,-rpath,build/lib -o library

! The part of strata.h that the program calls.
module strata
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int32_t), parameter :: strata_i32 = 2, strata_f64 = 5
  integer(c_int32_t), parameter :: strata_adopt = 1, strata_validate = 2

  ! One array of a storage.
  type, bind(c) :: strata_array
    type(c_ptr) :: data
    integer(c_int64_t) :: count
    integer(c_int32_t) :: type
  end type

  type, bind(c) :: strata_operand
    type(c_ptr) :: name, format
  end type

  interface
    function strata_session_create(session) bind(c) result(error)
      import :: c_ptr
      type(c_ptr), intent(out) :: session
      type(c_ptr) :: error
    end function

    function strata_format_parse(session, text, order, type, format) bind(c) result(error)
      import :: c_ptr, c_char, c_int32_t
      type(c_ptr), value :: session
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int32_t), value :: order, type
      type(c_ptr), intent(out) :: format
      type(c_ptr) :: error
    end function

    function strata_tensor_from_buffers(session, format, sizes, arrays, count, flags, release, &
                                        state, tensor) bind(c) result(error)
      import :: c_ptr, c_funptr, c_int32_t, c_int64_t, strata_array
      type(c_ptr), value :: session, format, state
      integer(c_int64_t), intent(in) :: sizes(*)
      type(strata_array), intent(in) :: arrays(*)
      integer(c_int32_t), value :: count, flags
      type(c_funptr), value :: release
      type(c_ptr), intent(out) :: tensor
      type(c_ptr) :: error
    end function

    function strata_statement_create(session, text, operands, count, options, statement) bind(c) &
        result(error)
      import :: c_ptr, c_char, c_int32_t, strata_operand
      type(c_ptr), value :: session, options
      character(kind=c_char), intent(in) :: text(*)
      type(strata_operand), intent(in) :: operands(*)
      integer(c_int32_t), value :: count
      type(c_ptr), intent(out) :: statement
      type(c_ptr) :: error
    end function

    function strata_statement_run(statement, operands, count, tensor) bind(c) result(error)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: statement
      type(c_ptr), intent(in) :: operands(*)
      integer(c_int32_t), value :: count
      type(c_ptr), intent(out) :: tensor
      type(c_ptr) :: error
    end function

    function strata_tensor_array(tensor, index) bind(c) result(array)
      import :: c_ptr, c_int32_t, strata_array
      type(c_ptr), value :: tensor
      integer(c_int32_t), value :: index
      type(strata_array) :: array
    end function

    function strata_error_message(error) bind(c) result(message)
      import :: c_ptr
      type(c_ptr), value :: error
      type(c_ptr) :: message
    end function

    subroutine strata_tensor_release(tensor) bind(c)
      import :: c_ptr
      type(c_ptr), value :: tensor
    end subroutine

    subroutine strata_statement_release(statement) bind(c)
      import :: c_ptr
      type(c_ptr), value :: statement
    end subroutine

    subroutine strata_format_release(format) bind(c)
      import :: c_ptr
      type(c_ptr), value :: format
    end subroutine

    subroutine strata_session_release(session) bind(c)
      import :: c_ptr
      type(c_ptr), value :: session
    end subroutine
  end interface

contains

  ! Ends the program with what an error says.
  subroutine check(error)
    type(c_ptr), intent(in) :: error
    character(kind=c_char), pointer :: letters(:)
    integer :: at

    if (.not. c_associated(error)) return
    call c_f_pointer(strata_error_message(error), letters, [1000])
    do at = 1, size(letters)
      if (letters(at) == c_null_char) exit
      write (*, '(a)', advance='no') letters(at)
    end do
    write (*, *)
    error stop 1
  end subroutine
end module

program library
  use strata
  implicit none

  !  1 . 2
  !  . . 3
  integer(c_int32_t), target :: pos(3) = [0, 2, 3], crd(3) = [0, 2, 2]
  real(c_double), target :: values(3) = [1, 2, 3], vector(3) = [1, 1, 1]
  character(kind=c_char), target :: names(4) = ['A', c_null_char, 'x', c_null_char]
  type(c_ptr) :: session, csr, dense, operands(2), spmv, y
  type(strata_array) :: arrays(3), elements(1), result
  type(strata_operand) :: named(2)
  real(c_double), pointer :: answer(:)

  call check(strata_session_create(session))
  call check(strata_format_parse(session, 'CSR' // c_null_char, 2, strata_f64, csr))
  call check(strata_format_parse(session, 'Dense' // c_null_char, 1, strata_f64, dense))
  arrays(1) = strata_array(c_loc(pos), size(pos), strata_i32)
  arrays(2) = strata_array(c_loc(crd), size(crd), strata_i32)
  arrays(3) = strata_array(c_loc(values), size(values), strata_f64)
  call check(strata_tensor_from_buffers(session, csr, [2_c_int64_t, 3_c_int64_t], arrays, 3, &
                                        ior(strata_adopt, strata_validate), c_null_funptr, &
                                        c_null_ptr, operands(1)))
  elements(1) = strata_array(c_loc(vector), size(vector), strata_f64)
  call check(strata_tensor_from_buffers(session, dense, [3_c_int64_t], elements, 1, strata_adopt, &
                                        c_null_funptr, c_null_ptr, operands(2)))

  named(1) = strata_operand(c_loc(names(1)), csr)
  named(2) = strata_operand(c_loc(names(3)), dense)
  call check(strata_statement_create(session, 'y(i) = A(i,j) * x(j)' // c_null_char, named, 2, &
                                     c_null_ptr, spmv))
  call check(strata_statement_run(spmv, operands, 2, y))
  result = strata_tensor_array(y, 0)
  call c_f_pointer(result%data, answer, [result%count])
  print '(f0.1)', answer

  call strata_tensor_release(y)
  call strata_statement_release(spmv)
  call strata_tensor_release(operands(2))
  call strata_tensor_release(operands(1))
  call strata_format_release(dense)
  call strata_format_release(csr)
  call strata_session_release(session)
end program
