# cmake -DCARGO= -DRUSTC= -DCRATE= -DTARGET_DIR= -DARCHIVE= -P build.cmake
# Builds the crate and copies its archive. Several build trees, also of other checkouts, may use one
# target folder, in which there is one place for the archive: hence the lock.
file(MAKE_DIRECTORY "${TARGET_DIR}")
file(LOCK "${TARGET_DIR}/ingle_schema_native.lock" GUARD PROCESS TIMEOUT 3600)

# What the archive there was built from. cargo compares the ages of files, so that it would build an
# equal crate again in every new checkout.
file(GLOB sources "${CRATE}/src/*.rs")
execute_process(COMMAND "${RUSTC}" -vV OUTPUT_VARIABLE key COMMAND_ERROR_IS_FATAL ANY)
foreach(path IN LISTS sources ITEMS "${CRATE}/Cargo.toml" "${CRATE}/Cargo.lock")
  cmake_path(GET path FILENAME name)
  file(SHA256 "${path}" hash)
  string(APPEND key "${hash} ${name}\n")
endforeach()
set(built "${TARGET_DIR}/release/libingle_schema_native.a")
set(key_file "${TARGET_DIR}/ingle_schema_native.key")
set(built_key "")
if(EXISTS "${built}" AND EXISTS "${key_file}")
  file(READ "${key_file}" built_key)
endif()

if(NOT built_key STREQUAL key)
  file(REMOVE "${key_file}")
  set(ENV{RUSTC} "${RUSTC}")
  execute_process(
    COMMAND "${CARGO}" build --release --locked --manifest-path "${CRATE}/Cargo.toml"
            --target-dir "${TARGET_DIR}"
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "cargo could not build the schema core.")
  endif()
  file(WRITE "${key_file}" "${key}")
endif()

# Also when it has not changed: its age is what the build compares.
file(COPY_FILE "${built}" "${ARCHIVE}")
file(TOUCH_NOCREATE "${ARCHIVE}")
