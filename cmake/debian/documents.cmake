# Run by cpack on what is about to be packed: what Debian wants of each package beside its files, and manual pages
# compressed.
file(GLOB packages LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(package IN LISTS packages)
  cmake_path(GET package FILENAME component)
  string(TOUPPER ${component} component)
  set(name ${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  if(NOT name)
    continue()
  endif()
  set(documents ${package}/usr/share/doc/${name})
  file(MAKE_DIRECTORY ${documents})
  file(WRITE ${documents}/copyright
       "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: linchpin
Source: ${CPACK_PACKAGE_HOMEPAGE_URL}

Files: *
Copyright: 2026 The Linchpin authors
License: Apache-2.0
 On Debian systems the text of this licence is in /usr/share/common-licenses/Apache-2.0.
")
  configure_file(${CPACK_PROJECT_SOURCE_DIR}/CHANGELOG.md ${documents}/changelog COPYONLY)
  set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, where it is set
  file(WRITE ${documents}/changelog.Debian
       "linchpin (${version}) unstable; urgency=medium

  * What users notice is in changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${now}
")
  set(catalogue usr/libexec/linchpin/linchpin-explore-catalogue)
  if(EXISTS ${package}/${catalogue})
    file(WRITE ${package}/usr/share/lintian/overrides/${name}
         "# Its findings are told by source lines.\n${name}: unstripped-binary-or-object *\n")
  endif()
  file(GLOB pages ${package}/usr/share/man/man1/*.1)
  execute_process(COMMAND gzip -9nf ${documents}/changelog ${documents}/changelog.Debian ${pages} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE files ${documents}/*)
  file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
