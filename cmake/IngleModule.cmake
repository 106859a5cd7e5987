# ingle_module(NAME HEADERS x.h... SOURCES x.cpp... DEPS ingle::core... [PRIVATE_DEPS lib...]
#              [TESTS x_test.cpp...] [TEST_DEPS lib...])
#
# One module: a static library ingle_NAME (alias ingle::NAME), its public headers
# (include/ingle/NAME/), and one test program ingle_NAME_test of the TESTS beside the sources.
# A module whose SOURCES are empty is header-only.
function(ingle_module name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES;DEPS;PRIVATE_DEPS;TESTS;TEST_DEPS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ingle_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target ingle_${name})
  list(TRANSFORM arg_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/ingle/${name}/")

  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ingle_build_flags>)
    # Private headers of a module are reached from the source root: "core/x_internal.h".
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(ingle::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_sources(${target} ${scope} FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  target_link_libraries(${target} ${scope} ${arg_DEPS})
  if(arg_PRIVATE_DEPS)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_DEPS})
  endif()
  set_property(GLOBAL APPEND PROPERTY INGLE_MODULES ${target})

  if(INGLE_BUILD_TESTS AND arg_TESTS)
    ingle_test(${target}_test SOURCES ${arg_TESTS} DEPS ingle::${name} ${arg_TEST_DEPS})
  endif()
endfunction()

# ingle_test(NAME SOURCES x_test.cpp... DEPS lib... [LABELS l...] [MODEL])
#
# A GoogleTest program; every TEST in it is a ctest test. MODEL: it runs the real model, so it gets
# the label "model" and never runs beside another such test (llama.cpp's threads spin).
function(ingle_test name)
  cmake_parse_arguments(arg "MODEL" "" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gmock GTest::gtest_main ingle_build_flags)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  # What is tested is optimised; the tests themselves compile a quarter faster with less of it.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  set(properties TIMEOUT 300)
  if(arg_MODEL)
    list(APPEND arg_LABELS model)
    list(APPEND properties RESOURCE_LOCK model)
  endif()
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES ${properties})
endfunction()
