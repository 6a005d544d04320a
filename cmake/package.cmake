# cpack -G DEB (./dev package): three Debian packages, each a component of install.cmake.
#
#   linchpin          the command, its manual pages and completions
#   liblinchpin-c0    the shared library of the C interface; 0: its major version
#   liblinchpin-dev   the static libraries, the headers, and what find_package and pkg-config want
#
# Dependencies of the first two are found by dpkg-shlibdeps; those of the last are what its users link.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL tool dev)
if(TARGET linchpin_c)
  list(APPEND CPACK_COMPONENTS_ALL c)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/documents.cmake)
set(CPACK_PROJECT_SOURCE_DIR ${PROJECT_SOURCE_DIR}) # for that script

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Linchpin authors <linchpin@example.org>")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${PROJECT_HOMEPAGE_URL})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(linchpin_description
    "Linchpin decides whether the recorded history of a concurrent object, such as a
queue, a map or a register, is linearizable, and shows why: each answer carries
evidence that independent code can check again.")

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME linchpin)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "redis-server, etcd-server, liblinchpin-dev")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "checker of recorded concurrent histories for linearizability
${linchpin_description}
.
This is the command, which checks, explains, converts, generates and records.")

set(CPACK_DEBIAN_C_PACKAGE_NAME liblinchpin-c${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_C_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_C_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_C_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_COMPONENT_C_DESCRIPTION "checker of recorded concurrent histories (C interface)
${linchpin_description}
.
This is the shared library of linchpin.h, for C and for languages that call C.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblinchpin-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
string(JOIN ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS libabsl-dev libfmt-dev libsimdjson-dev libtbb-dev
       libxxhash-dev libzstd-dev zlib1g-dev "pkg-config | pkgconf")
if(linchpin_explore_libdw)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libdw-dev")
endif()
if(TARGET linchpin_c)
  string(PREPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
         "liblinchpin-c${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), ")
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "linchpin, cmake, libgtest-dev, libgmock-dev, catch2")
set(CPACK_COMPONENT_DEV_DESCRIPTION "checker of recorded concurrent histories (development files)
${linchpin_description}
.
These are the libraries to check, record and stress from programs in C++ and C.")
include(CPack)
