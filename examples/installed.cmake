# A test: what an installation has to hold.
set(expected
    ${LIBDIR}/liblinchpin.a
    ${LIBDIR}/liblinchpin_record.a
    ${LIBDIR}/cmake/linchpin/linchpin-config.cmake
    ${LIBDIR}/pkgconfig/linchpin.pc
    ${LIBDIR}/pkgconfig/linchpin-record.pc
    include/linchpin.h
    include/linchpin/check.hpp)
if(COMMAND)
  list(APPEND expected bin/linchpin share/man/man1/linchpin.1 share/man/man1/linchpin-check.1
       share/bash-completion/completions/linchpin share/zsh/site-functions/_linchpin
       share/fish/vendor_completions.d/linchpin.fish)
endif()
if(CATALOGUE)
  list(APPEND expected libexec/linchpin/linchpin-explore-catalogue)
endif()
if(RESEARCH)
  list(APPEND expected ${LIBDIR}/liblinchpin_research.a ${LIBDIR}/pkgconfig/linchpin-research.pc)
endif()
if(C)
  list(APPEND expected ${LIBDIR}/liblinchpin_c.so ${LIBDIR}/liblinchpin_c.so.0 ${LIBDIR}/pkgconfig/linchpin-c.pc)
endif()
foreach(file IN LISTS expected)
  if(NOT EXISTS ${PREFIX}/${file})
    message(SEND_ERROR "missing: ${PREFIX}/${file}")
    continue()
  endif()
  file(SIZE ${PREFIX}/${file} size)
  if(size EQUAL 0)
    message(SEND_ERROR "empty: ${PREFIX}/${file}")
  endif()
endforeach()
