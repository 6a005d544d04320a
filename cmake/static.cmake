# LINCHPIN_STATIC: one file that runs on any Linux of its architecture, linked with no shared library; ./dev package
# makes it. How the libraries come in, of which Debian has no static one of the last three
#
#   abseil      its .a files, by pkg-config: its CMake files know the shared ones
#   fmt         compiled from its headers instead
#   oneTBB      loops run on the standard library's threads (src/base/workers.hpp)
#   simdjson    compiled from LINCHPIN_SIMDJSON_SOURCE, which tools/simdjson_source fills from Debian's source package
#
# It goes without `linchpin stress`, whose containers are shared libraries. It is not for installing.
if(LINCHPIN_BUILD_STRESS OR LINCHPIN_BUILD_C OR LINCHPIN_BUILD_TESTS)
  message(FATAL_ERROR "LINCHPIN_STATIC makes the command only: turn off LINCHPIN_BUILD_STRESS, _C and _TESTS")
endif()
if(NOT EXISTS ${LINCHPIN_SIMDJSON_SOURCE}/simdjson.cpp)
  message(FATAL_ERROR "LINCHPIN_SIMDJSON_SOURCE has no simdjson.cpp: tools/simdjson_source FOLDER fetches it")
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
add_library(linchpin_simdjson STATIC ${LINCHPIN_SIMDJSON_SOURCE}/simdjson.cpp)
target_include_directories(linchpin_simdjson SYSTEM PUBLIC ${LINCHPIN_SIMDJSON_SOURCE})
target_compile_features(linchpin_simdjson PUBLIC cxx_std_17)
add_library(simdjson::simdjson ALIAS linchpin_simdjson)
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-static-pie>)
