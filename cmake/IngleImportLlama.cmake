# Part of IngleLlama.cmake and of the installed package.
#
# ingle_import_llama(SHARED|STATIC LIBRARIES path... [INCLUDES folder...])
#
# Makes the imported target ingle_llama_api of llama.cpp's libraries, each of which uses those after
# it. Shared ones are found again at run time by the RPATH that CMake derives from their folder.
function(ingle_import_llama kind)
  cmake_parse_arguments(arg "" "" "LIBRARIES;INCLUDES" ${ARGN})
  set(next Threads::Threads ${CMAKE_DL_LIBS})
  list(REVERSE arg_LIBRARIES)
  foreach(path IN LISTS arg_LIBRARIES)
    cmake_path(GET path FILENAME file)
    set(target ingle_llama::${file})
    add_library(${target} ${kind} IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION "${path}" INTERFACE_LINK_LIBRARIES "${next}")
    if(kind STREQUAL "SHARED")
      set_target_properties(${target} PROPERTIES IMPORTED_SONAME "${file}")
    endif()
    set(next ${target})
  endforeach()

  add_library(ingle_llama_api INTERFACE IMPORTED GLOBAL)
  set_target_properties(ingle_llama_api PROPERTIES INTERFACE_LINK_LIBRARIES "${next}")
  # SYSTEM, since they give some 250 warnings under our flags.
  target_include_directories(ingle_llama_api SYSTEM INTERFACE ${arg_INCLUDES})
endfunction()
