# Names the commit that is being built:
#   cmake -DSOURCE=<checkout> -DVERSION=<release> -DHEADER=<file> -P build_stamp.cmake
# Run by every build; the header changes only with the commit, and only tool_stamp.cpp reads it.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")  # a tarball inside somebody else's checkout has no commit
  execute_process(
    COMMAND ${GIT} -C ${SOURCE} rev-parse --verify HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(
      COMMAND ${GIT} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
    set(commit ${head})
    if(changed)
      string(APPEND commit "+changes")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT [[
#pragma once
#define TELLTALE_VERSION "@VERSION@"
#define TELLTALE_COMMIT "@commit@"
]])
