# cmake --install BUILD --prefix PREFIX: the command, the libraries, the public headers, and what find_package and
# pkg-config want. Its components are also the Debian packages: `tool`, `dev`, and `c` with LINCHPIN_BUILD_C (--component
# takes one).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
set(linchpin_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/linchpin)
set_target_properties(linchpin_record PROPERTIES EXPORT_NAME record)
install(TARGETS linchpin_record EXPORT linchpin-record COMPONENT dev)
install(TARGETS linchpin EXPORT linchpin COMPONENT dev)
install(EXPORT linchpin-record NAMESPACE linchpin:: FILE linchpin-record-targets.cmake
        DESTINATION ${linchpin_package_dir} COMPONENT dev)
install(EXPORT linchpin NAMESPACE linchpin:: FILE linchpin-targets.cmake DESTINATION ${linchpin_package_dir}
        COMPONENT dev)
if(TARGET linchpin_research)
  set_target_properties(linchpin_research PROPERTIES EXPORT_NAME research)
  install(TARGETS linchpin_research EXPORT linchpin-research COMPONENT dev)
  install(EXPORT linchpin-research NAMESPACE linchpin:: FILE linchpin-research-targets.cmake
          DESTINATION ${linchpin_package_dir} COMPONENT dev)
endif()
if(TARGET linchpin_explore)
  set_target_properties(linchpin_explore PROPERTIES EXPORT_NAME explore)
  install(TARGETS linchpin_explore EXPORT linchpin-explore COMPONENT dev)
  install(EXPORT linchpin-explore NAMESPACE linchpin:: FILE linchpin-explore-targets.cmake
          DESTINATION ${linchpin_package_dir} COMPONENT dev)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/linchpin-explore.cmake DESTINATION ${linchpin_package_dir} COMPONENT dev)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/linchpin-config.cmake.in
                              ${PROJECT_BINARY_DIR}/linchpin-config.cmake INSTALL_DESTINATION ${linchpin_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/linchpin-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/linchpin-config.cmake ${PROJECT_BINARY_DIR}/linchpin-config-version.cmake
        DESTINATION ${linchpin_package_dir} COMPONENT dev)

# pkg-config. Paths are relative to the file itself, so that the prefix may move.
file(RELATIVE_PATH linchpin_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(linchpin_pc_files linchpin linchpin-record)
if(TARGET linchpin_research)
  list(APPEND linchpin_pc_files linchpin-research)
endif()
if(TARGET linchpin_explore)
  list(APPEND linchpin_pc_files linchpin-explore)
  set(linchpin_explore_requires "linchpin")
  if(linchpin_explore_libdw)
    string(APPEND linchpin_explore_requires ", libdw")
  endif()
endif()
if(TARGET linchpin_c)
  list(APPEND linchpin_pc_files linchpin-c)
  install(TARGETS linchpin_c LIBRARY COMPONENT c NAMELINK_COMPONENT dev)
endif()
foreach(name IN LISTS linchpin_pc_files)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

if(TARGET linchpin_app)
  install(TARGETS linchpin_app COMPONENT tool)
  if(TARGET linchpin_explore_catalogue) # as a file, which nobody strips: its findings are told by source lines
    install(PROGRAMS $<TARGET_FILE:linchpin_explore_catalogue> DESTINATION libexec/linchpin COMPONENT tool)
  endif()
  # Manual pages and completions come from the command itself.
  install(CODE "
    set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    set(command \"$<TARGET_FILE:linchpin_app>\")
    execute_process(COMMAND \${command} manual --all \${root}/${CMAKE_INSTALL_MANDIR}/man1 COMMAND_ERROR_IS_FATAL ANY)
    set(bash \${root}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/linchpin)
    set(zsh \${root}/${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_linchpin)
    set(fish \${root}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/linchpin.fish)
    foreach(shell bash zsh fish)
      get_filename_component(directory \${\${shell}} DIRECTORY)
      file(MAKE_DIRECTORY \${directory})
      execute_process(COMMAND \${command} completion \${shell} OUTPUT_FILE \${\${shell}} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT tool)
endif()

# All that is installed, for who builds no more than that (./dev install).
add_custom_target(linchpin_to_install)
foreach(target linchpin linchpin_record linchpin_research linchpin_explore linchpin_c linchpin_app linchpin_explore_catalogue)
  if(TARGET ${target})
    add_dependencies(linchpin_to_install ${target})
  endif()
endforeach()
