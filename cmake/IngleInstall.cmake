# Installing, and the package that find_package(ingle) finds. The installed tree can be moved: the
# command looks for llama.cpp's libraries relative to itself, and the package for its own files.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY INGLE_MODULES)

# Everything in one target, ingle::ingle, except `testing`: it brings GoogleTest, so ask for it.
add_library(ingle_all INTERFACE)
add_library(ingle::ingle ALIAS ingle_all)
set_target_properties(ingle_all PROPERTIES EXPORT_NAME ingle)
set(all ${modules})
list(REMOVE_ITEM all ingle_testing)
target_link_libraries(ingle_all INTERFACE ${all})

if(NOT INGLE_INSTALL)
  return()
endif()

# ---- Files ---------------------------------------------------------------------------------------
install(TARGETS ${modules} EXPORT ingleTargets FILE_SET HEADERS)
install(TARGETS ingle_all EXPORT ingleTargets)
install(FILES include/ingle/ingle.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ingle" OPTIONAL)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
if(INGLE_BUILD_APPS)
  install(TARGETS ingle)
endif()

# ---- llama.cpp -----------------------------------------------------------------------------------
set(package_destination "${CMAKE_INSTALL_LIBDIR}/cmake/${PROJECT_NAME}")
if(INGLE_ENGINE_LLAMA)
  if(NOT INGLE_LLAMA STREQUAL "system")
    install(FILES ${INGLE_LLAMA_FILES} DESTINATION "${INGLE_LLAMA_DESTINATION}")
    install(DIRECTORY "${INGLE_LLAMA_FOLDER}/licenses" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  endif()
  list(TRANSFORM INGLE_LLAMA_LIBRARIES REPLACE ".*/" "" OUTPUT_VARIABLE llama_names)
  configure_file(cmake/llamaTargets.cmake.in llamaTargets.cmake @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/llamaTargets.cmake" cmake/IngleImportLlama.cmake
    DESTINATION "${package_destination}")
endif()
# Licences of the crates in the Rust archive, gathered by scripts/fetch.
install(DIRECTORY "${INGLE_CACHE_DIR}/licenses/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/licenses"
  OPTIONAL)

# muParser exists as a shared library only: a moved tree brings its own.
if(TARGET muparser::muparser)
  set(muparser_destination "${CMAKE_INSTALL_LIBDIR}/${PROJECT_NAME}")
  install(FILES "$<TARGET_FILE:muparser::muparser>" DESTINATION "${muparser_destination}"
    RENAME "$<TARGET_SONAME_FILE_NAME:muparser::muparser>")
  install(FILES /usr/share/doc/libmuparser-dev/copyright
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/licenses" RENAME muparser.txt OPTIONAL)
endif()

# In the command: toml++ (headers), libedit and the libraries that it is made of.
if(INGLE_BUILD_APPS)
  foreach(package libtomlplusplus-dev libedit-dev libbsd-dev libmd-dev libncurses-dev)
    install(FILES "/usr/share/doc/${package}/copyright"
      DESTINATION "${CMAKE_INSTALL_DOCDIR}/licenses" RENAME "${package}.txt" OPTIONAL)
  endforeach()
endif()

# ---- Package -------------------------------------------------------------------------------------
# What the modules link to, as the packages that a user's CMake has to find: "target|package".
set(packages
  "nlohmann_json::nlohmann_json|nlohmann_json 3.11"
  "Threads::Threads|Threads"
  "fmt::fmt-header-only|fmt 9"
  "OpenSSL::Crypto|OpenSSL 3 COMPONENTS Crypto"
  "SQLite::SQLite3|SQLite3"
  "SQLiteCpp|SQLiteCpp"
  "CLI11::CLI11|CLI11"
  "muparser::muparser|muparser"
  "GTest::gmock|")

# Appends to `found` the targets from outside of Ingle that `target` links to.
function(ingle_outside_dependencies target found)
  get_target_property(type ${target} TYPE)
  set(property LINK_LIBRARIES)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(property INTERFACE_LINK_LIBRARIES)
  endif()
  get_target_property(libraries ${target} ${property})
  if(libraries)
    list(FILTER libraries EXCLUDE REGEX "^ingle|^\\$<|^-|/|^dl$|^m$")
    list(APPEND ${found} ${libraries})
    set(${found} "${${found}}" PARENT_SCOPE)
  endif()
endfunction()

set(outside "")
foreach(module IN LISTS modules)
  ingle_outside_dependencies(${module} outside)
endforeach()
list(REMOVE_DUPLICATES outside)
set(find_dependencies "")
foreach(target IN LISTS outside)
  set(package "${packages}")
  list(FILTER package INCLUDE REGEX "^${target}\\|")
  if(NOT package)
    message(FATAL_ERROR "A module links to ${target}: name its package in IngleInstall.cmake.")
  endif()
  string(REGEX REPLACE "^.*\\|" "" package "${package}")
  if(package)
    string(APPEND find_dependencies "find_dependency(${package})\n")
  endif()
endforeach()

configure_package_config_file(cmake/ingleConfig.cmake.in ingleConfig.cmake
  INSTALL_DESTINATION "${package_destination}")
write_basic_package_version_file(ingleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ingleConfig.cmake"
  "${PROJECT_BINARY_DIR}/ingleConfigVersion.cmake" DESTINATION "${package_destination}")
install(EXPORT ingleTargets NAMESPACE ingle:: DESTINATION "${package_destination}")
