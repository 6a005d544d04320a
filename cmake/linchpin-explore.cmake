# linchpin_explore_options(COMPILER VARIABLE): with what that compiler tells every access (its CMAKE_CXX_COMPILER_ID).
function(linchpin_explore_options compiler variable)
  set(options -fsanitize=thread -g -O1 -mcx16 -UNDEBUG) # a failed assertion is a finding
  # What is expanded in place, or checks its sizes first, nothing would tell.
  list(APPEND options -fno-builtin-memcmp -fno-builtin-bcmp -U_FORTIFY_SOURCE)
  if(compiler STREQUAL "GNU")
    list(APPEND options -Wno-tsan) # of fences, which our runtime knows
    list(APPEND options -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset) # clang tells these by itself
  elseif(compiler MATCHES "Clang") # which leaves out a read that a write to the same place follows
    list(APPEND options -mllvm -tsan-instrument-read-before-write=1)
  else()
    message(FATAL_ERROR "linchpin_explore: the compiler has to be g++ or clang, for -fsanitize=thread")
  endif()
  set(${variable} ${options} PARENT_SCOPE)
endfunction()

# linchpin_explore(TARGET [SOURCE...]): an executable whose code linchpin::explore runs in every interleaving.
#
# Its sources (or those named, where the others are no part of what is tested) are compiled with -fsanitize=thread, which
# tells every access; the target is linked with the explorer's runtime instead of the sanitizer's.
function(linchpin_explore target)
  if(NOT TARGET linchpin::explore)
    message(FATAL_ERROR "linchpin_explore: there is no linchpin::explore: find_package(linchpin COMPONENTS explore), on Linux and x86-64")
  endif()
  linchpin_explore_options(${CMAKE_CXX_COMPILER_ID} options)
  if(ARGN)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${options})
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  else()
    list(JOIN options " " together) # a target's options are made unique one by one, and one of them is of two words
    target_compile_options(${target} PRIVATE "SHELL:${together}")
  endif()
  target_link_libraries(${target} PRIVATE linchpin::explore)
endfunction()
