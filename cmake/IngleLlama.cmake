# llama.cpp, as the one target ingle_llama_api: its headers (also those of its `common` library) and
# what to link. Only src/engine_llama uses it.
#
# INGLE_LLAMA says where it comes from:
#   prebuilt  shared libraries that scripts/fetch put into the cache; the default
#   source    static libraries, built here once per compiler from the source that
#             `scripts/fetch --source` put into the cache (about ten minutes)
#   system    an installed llama.cpp of the same release, by find_package(llama). Installing it
#             leaves out the headers of `common`: give -DINGLE_LLAMA_COMMON_INCLUDE_DIR, the folder
#             `common` of its source
# Nothing is downloaded here. INGLE_LLAMA_ROOT overrides the folder of prebuilt and source.
#
# Imported targets cannot be exported, so an installed Ingle makes them again: IngleInstall.cmake
# takes INGLE_LLAMA_KIND, INGLE_LLAMA_LIBRARIES (to link) and INGLE_LLAMA_FILES (to install).

set(INGLE_LLAMA prebuilt CACHE STRING "Where llama.cpp comes from: prebuilt, source or system")
set_property(CACHE INGLE_LLAMA PROPERTY STRINGS prebuilt source system)
set(INGLE_LLAMA_ROOT "" CACHE PATH "llama.cpp's folder; empty for the one in INGLE_CACHE_DIR")

set_property(DIRECTORY APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/llama_release.txt")
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/llama_release.txt" INGLE_LLAMA_RELEASE LIMIT_COUNT 1)

# Installed, the command finds the libraries relative to itself (IngleInstall.cmake puts them there).
set(INGLE_LLAMA_DESTINATION "${CMAKE_INSTALL_LIBDIR}/${PROJECT_NAME}")
file(RELATIVE_PATH from_command
  "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_PREFIX}/${INGLE_LLAMA_DESTINATION}")
set(CMAKE_INSTALL_RPATH "$ORIGIN/${from_command}")

find_package(Threads REQUIRED)
include(IngleImportLlama)

# Sets INGLE_LLAMA_FOLDER to where the files are, or stops and says what to do.
macro(ingle_find_llama default_folder probe command)
  set(INGLE_LLAMA_FOLDER "${INGLE_LLAMA_ROOT}")
  if(NOT INGLE_LLAMA_FOLDER)
    set(INGLE_LLAMA_FOLDER "${default_folder}")
  endif()
  if(NOT EXISTS "${INGLE_LLAMA_FOLDER}/${probe}")
    message(FATAL_ERROR
      "There is no llama.cpp ${INGLE_LLAMA_RELEASE} in ${INGLE_LLAMA_FOLDER}. Run ${command}, "
      "or configure with -DINGLE_ENGINE_LLAMA=OFF to build without it.")
  endif()
  set(includes "${INGLE_LLAMA_FOLDER}/include" "${INGLE_LLAMA_FOLDER}/ggml/include"
    "${INGLE_LLAMA_FOLDER}/common")
endmacro()

if(INGLE_LLAMA STREQUAL "prebuilt")
  ingle_find_llama("${INGLE_CACHE_DIR}/llama/${INGLE_LLAMA_RELEASE}" lib/libllama-common.so
    "scripts/fetch")
  set(INGLE_LLAMA_KIND SHARED)
  set(INGLE_LLAMA_LIBRARIES libllama-common.so libllama.${INGLE_LLAMA_RELEASE}.so
    libggml.${INGLE_LLAMA_RELEASE}.so libggml-base.so)
  list(TRANSFORM INGLE_LLAMA_LIBRARIES PREPEND "${INGLE_LLAMA_FOLDER}/lib/")
  ingle_import_llama(SHARED LIBRARIES ${INGLE_LLAMA_LIBRARIES} INCLUDES ${includes})
  # The backends (libggml-cpu-*.so) are not linked: llama.cpp loads the one that suits the processor
  # from the folder of its own library, so all of them have to lie beside each other.
  file(GLOB INGLE_LLAMA_FILES "${INGLE_LLAMA_FOLDER}/lib/*.so")
  # For tests: what llama.cpp ships of chat templates, and vocabularies without weights.
  set(INGLE_LLAMA_TEMPLATES "${INGLE_LLAMA_FOLDER}/templates")
  set(INGLE_LLAMA_VOCABULARIES "${INGLE_LLAMA_FOLDER}/vocabularies")

elseif(INGLE_LLAMA STREQUAL "source")
  include(IngleLlamaSource)

elseif(INGLE_LLAMA STREQUAL "system")
  find_package(llama REQUIRED CONFIG)
  find_library(INGLE_LLAMA_COMMON_LIBRARY llama-common HINTS "${LLAMA_LIB_DIR}" REQUIRED)
  find_path(INGLE_LLAMA_COMMON_INCLUDE_DIR chat-peg-parser.h
    DOC "The folder `common` of the installed llama.cpp's source" REQUIRED)
  add_library(ingle_llama_api INTERFACE IMPORTED GLOBAL)
  set_target_properties(ingle_llama_api PROPERTIES
    INTERFACE_LINK_LIBRARIES "${INGLE_LLAMA_COMMON_LIBRARY};llama")
  target_include_directories(ingle_llama_api SYSTEM INTERFACE "${INGLE_LLAMA_COMMON_INCLUDE_DIR}")
  set(INGLE_LLAMA_KIND SYSTEM)

else()
  message(FATAL_ERROR "INGLE_LLAMA is '${INGLE_LLAMA}'; it can be prebuilt, source or system.")
endif()
