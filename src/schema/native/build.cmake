# cmake -DCARGO= -DRUSTC= -DCRATE= -DTARGET_DIR= -DARCHIVE= -P build.cmake
# Builds the crate and copies its archive. Several build trees, also of other checkouts, may use one
# target folder, in which there is one place for the archive: hence the lock.
file(MAKE_DIRECTORY "${TARGET_DIR}")
file(LOCK "${TARGET_DIR}/ingle_schema_native.lock" GUARD PROCESS TIMEOUT 3600)
set(ENV{RUSTC} "${RUSTC}")
execute_process(
  COMMAND "${CARGO}" build --release --locked --manifest-path "${CRATE}/Cargo.toml"
          --target-dir "${TARGET_DIR}"
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cargo could not build the schema core.")
endif()
# Also when it has not changed: its age is what the build compares.
file(COPY_FILE "${TARGET_DIR}/release/libingle_schema_native.a" "${ARCHIVE}")
file(TOUCH_NOCREATE "${ARCHIVE}")
