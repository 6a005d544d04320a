# linchpin_explore(TARGET [SOURCE...]): an executable whose code linchpin::explore runs in every interleaving.
#
# Its sources (or those named, where the others are no part of what is tested) are compiled with -fsanitize=thread, which
# tells every access; the target is linked with the explorer's runtime instead of the sanitizer's.
function(linchpin_explore target)
  if(NOT TARGET linchpin::explore)
    message(FATAL_ERROR "linchpin_explore: there is no linchpin::explore: find_package(linchpin COMPONENTS explore), on Linux and x86-64")
  endif()
  set(options -fsanitize=thread -g -O1 -mcx16 -UNDEBUG) # a failed assertion is a finding
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-tsan) # of fences, which our runtime knows
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # which leaves out a read that a write to the same place follows
    set(options_of_two_words -mllvm -tsan-instrument-read-before-write=1)
  else()
    message(FATAL_ERROR "linchpin_explore: the compiler has to be g++ or clang, for -fsanitize=thread")
  endif()
  if(ARGN)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${options} ${options_of_two_words})
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  else()
    list(JOIN options_of_two_words " " together) # a target's options are made unique one by one
    target_compile_options(${target} PRIVATE ${options} "SHELL:${together}")
  endif()
  target_link_libraries(${target} PRIVATE linchpin::explore)
endfunction()
