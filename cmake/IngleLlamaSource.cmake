# INGLE_LLAMA=source (see IngleLlama.cmake): builds llama.cpp's static libraries beside the cache's
# other content, in a folder per release and compiler, so that every build tree shares one build.
include(ExternalProject)

ingle_find_llama("${INGLE_CACHE_DIR}/llama/${INGLE_LLAMA_RELEASE}-source" common/chat.h
  "scripts/fetch --source")

set(llama_options
  -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
  -DCMAKE_POSITION_INDEPENDENT_CODE=ON
  -DBUILD_SHARED_LIBS=OFF
  # As in the prebuilt libraries: threads of its own, no TLS.
  -DGGML_OPENMP=OFF
  -DLLAMA_OPENSSL=OFF
  -DLLAMA_BUILD_APP=OFF
  -DLLAMA_BUILD_COMMON=ON
  -DLLAMA_BUILD_EXAMPLES=OFF
  -DLLAMA_BUILD_SERVER=OFF
  -DLLAMA_BUILD_TESTS=OFF
  -DLLAMA_BUILD_TOOLS=OFF)
string(SHA256 key "${llama_options} ${CMAKE_CXX_COMPILER_VERSION} ${INGLE_LLAMA_FOLDER}")
string(SUBSTRING "${key}" 0 12 key)
set(llama_build "${INGLE_CACHE_DIR}/llama/${INGLE_LLAMA_RELEASE}-build-${key}")

set(INGLE_LLAMA_KIND STATIC)
set(INGLE_LLAMA_LIBRARIES
  common/libllama-common.a common/libllama-common-base.a vendor/cpp-httplib/libcpp-httplib.a
  src/libllama.a ggml/src/libggml.a ggml/src/libggml-cpu.a ggml/src/libggml-base.a)
list(TRANSFORM INGLE_LLAMA_LIBRARIES PREPEND "${llama_build}/")
set(INGLE_LLAMA_FILES ${INGLE_LLAMA_LIBRARIES})

ExternalProject_Add(ingle_llama_build
  SOURCE_DIR "${INGLE_LLAMA_FOLDER}"
  BINARY_DIR "${llama_build}"
  PREFIX "${llama_build}-steps"
  CMAKE_ARGS ${llama_options}
  BUILD_COMMAND "${CMAKE_COMMAND}" --build <BINARY_DIR> --target llama-common
  BUILD_BYPRODUCTS ${INGLE_LLAMA_LIBRARIES}
  INSTALL_COMMAND ""
  USES_TERMINAL_BUILD ON)

set(INGLE_LLAMA_TEMPLATES "${INGLE_LLAMA_FOLDER}/models/templates")
set(INGLE_LLAMA_VOCABULARIES "${INGLE_LLAMA_FOLDER}/models")
ingle_import_llama(STATIC LIBRARIES ${INGLE_LLAMA_LIBRARIES} INCLUDES ${includes})
add_dependencies(ingle_llama_api ingle_llama_build)
