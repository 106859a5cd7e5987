# cmake -DBUILD=... -DTREE=... -P install_and_move.cmake
# Installs the build tree, then moves what was installed, so that a path into the first place (or
# into the build tree) that stayed behind somewhere shows.
set(first "${TREE}-first")
file(REMOVE_RECURSE "${first}" "${TREE}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${first}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${first}" "${TREE}")

# Text files of the package name no place at all.
file(GLOB_RECURSE package "${TREE}/*.cmake")
foreach(path IN LISTS package)
  file(STRINGS "${path}" lines REGEX "${BUILD}|${first}")
  if(lines)
    message(FATAL_ERROR "${path} names a place that is not in the installed tree: ${lines}")
  endif()
endforeach()
