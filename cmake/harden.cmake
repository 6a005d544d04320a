# LINCHPIN_HARDEN: what makes a memory error stop the program instead of being of use to somebody;
# tools/check_hardening looks at what was built.
#
#   position-independent executables    addresses differ from run to run
#   BIND_NOW with RELRO                 tables of functions cannot be written once the program runs
#   the stack protector                 an overflow on the stack is seen before the function returns
#   _FORTIFY_SOURCE                     calls of libc check the sizes that the compiler knows
#
# A position-independent library stays as it is: -fPIE after -fPIC would undo it. Sanitizers see more without all this.
add_compile_options(-fstack-protector-strong $<$<NOT:$<BOOL:$<TARGET_PROPERTY:POSITION_INDEPENDENT_CODE>>>:-fPIE>)
# libc's headers warn of the macro without optimization. Some compilers define it on their own.
add_compile_options("$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
add_link_options(LINKER:-z,relro,-z,now $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
