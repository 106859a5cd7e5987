# Warnings and sanitizers, in one private target. Consumers never see it.
add_library(ingle_build_flags INTERFACE)

target_compile_options(ingle_build_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wundef
  # g++ 12 sees overlaps in string concatenation that are not there (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<BOOL:${INGLE_WERROR}>:-Werror>)

# File names in messages and debug information start at the checkout: they name nobody's home, and
# the same source gives the same object everywhere. ccache may hand the compiler relative paths.
file(RELATIVE_PATH up "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
target_compile_options(ingle_build_flags INTERFACE
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" "-ffile-prefix-map=${up}=")

# Most of the Rust archive is unused: this takes the command from 14 to 10 MB.
target_link_options(ingle_build_flags INTERFACE -Wl,--gc-sections)

if(INGLE_SANITIZE)
  target_compile_options(ingle_build_flags INTERFACE
    -fsanitize=${INGLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(ingle_build_flags INTERFACE -fsanitize=${INGLE_SANITIZE})
endif()
