# LINCHPIN_BATCHES: few translation units, where compiling everything from nothing is what takes the time (CI, the
# packages, clang-tidy): most of it goes into headers. What is in an anonymous namespace then needs a name of its own in
# its target: subcommands put theirs before it (CheckArguments), tests whose helpers have everyday names lie in a namespace
# that is named after their file.
set(LINCHPIN_BATCH_SIZE 32 CACHE STRING
    "Sources in one batch; 0 for as few batches as can be, which is best for who only reads them (clang-tidy)")

# linchpin_batches(TARGET): its sources, so many in one unit, which take as long as a few by themselves.
function(linchpin_batches target)
  if(LINCHPIN_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${LINCHPIN_BATCH_SIZE})
  endif()
endfunction()
