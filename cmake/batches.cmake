# LINCHPIN_BATCHES: few translation units, where compiling everything from nothing is what takes the time (CI, the
# packages, clang-tidy): most of it goes into headers. What is in an anonymous namespace then needs a name of its own in
# its batch: subcommands put theirs before it (CheckArguments), tests whose helpers have everyday names lie in a namespace
# that is named after their file.

# linchpin_batches(TARGET): its sources, eight in one unit, which take as long as two by themselves.
function(linchpin_batches target)
  if(LINCHPIN_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
