# shellcheck shell=bash
# Shared by the scripts in this folder; source it, do not run it.
#
# It sets: root (the checkout), INGLE_CACHE (everything downloaded or built that is worth sharing
# between checkouts), and the environment that makes a second checkout reuse the first one's work.
# Progress goes to stderr, so that stdout carries results only.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export INGLE_CACHE=${INGLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ingle}
mkdir -p "$INGLE_CACHE/log"
INGLE_CACHE=$(cd "$INGLE_CACHE" && pwd)

# Paths below the checkout are hashed relative to it: an equal file in another checkout is a hit.
export CCACHE_DIR=${CCACHE_DIR:-$INGLE_CACHE/ccache} CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

# ---- Words to the person ------------------------------------------------------------------------

elapsed() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }
say() { printf '[%s] %s\n' "$(elapsed)" "$*" >&2; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# The comment at the top of a script is its help.
usage() { sed -n '2,/^[^#]/{/^#/!d; s/^# \{0,1\}//; p}' "$0"; }

# watched LABEL COMMAND...: runs the command with its output in a log file. The last line of that is
# shown as a status line on a terminal, and every ten seconds elsewhere; its end, if it fails.
watched() {
  local label=$1 started=$SECONDS status=0 log pid shown
  shift
  log=$INGLE_CACHE/log/${label//[^A-Za-z0-9.-]/-}.log
  say "$label"
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # A command in the background does not hear of Ctrl-C.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  shown=$SECONDS
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    if [[ -t 2 ]] || ((SECONDS - shown >= 10)); then
      shown=$SECONDS
      show_last_line "$label" "$((SECONDS - started))" "$log"
    fi
  done
  wait "$pid" || status=$?
  trap - INT TERM
  [[ -t 2 ]] && printf '\r\033[K' >&2
  if ((status != 0)); then
    show_failure "$log"
    say "$label failed (status $status); the whole output is in $log"
  fi
  return "$status"
}

# From ninja's first failure on, whose messages may lie far above the end; else the end.
show_failure() {
  if grep -qE '^(FAILED: |CMake Error)' "$1"; then
    sed -nE '/^(FAILED: |CMake Error)/,$p' "$1" | head -n 100 >&2
  else
    tail -n 40 "$1" >&2
  fi
}

show_last_line() {
  local label=$1 seconds=$2 log=$3 last
  last=$(tail -c 400 "$log" | tr '\r' '\n' | grep -v '^[[:space:]]*$' | tail -n 1 || true)
  if [[ -t 2 ]]; then
    last="$label, $seconds s: $last"
    printf '\r\033[K%s' "${last:0:$(($(tput cols 2>/dev/null || echo 80) - 1))}" >&2
  else
    say "  $seconds s: ${last:0:100}"
  fi
}

# ---- Two runs at once ---------------------------------------------------------------------------

# lock FILE: waits until no other run holds the file. Held until this script ends.
lock() {
  mkdir -p "$(dirname "$1")"
  exec 9>"$1"
  flock -n 9 && return
  say "waiting for another run that holds $1"
  flock 9
}

# ---- System packages ----------------------------------------------------------------------------

# What a build of the command needs, as Debian packages.
build_packages() {
  echo build-essential cmake ninja-build ccache git ca-certificates python3 \
    nlohmann-json3-dev libcli11-dev libfmt-dev libssl-dev libsqlite3-dev libsqlitecpp-dev \
    libmuparser-dev pkg-config libedit-dev libtomlplusplus-dev
  fetch_packages
}

# What scripts/fetch needs. pip and cargo are asked for as commands, since they often come from
# elsewhere (pyenv, rustup), where Debian's package would conflict or be a second copy.
fetch_packages() {
  echo git ca-certificates python3 patchelf
  python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
  use_rust || echo cargo-web rustc-web
}

# What the tests need beside that: GoogleTest, shells to complete in, and the second compiler with
# its tools. llvm-19 has the symbolizer, without which a sanitizer's report is a list of addresses.
test_packages() {
  echo libgtest-dev libgmock-dev zsh fish \
    clang-19 libclang-rt-19-dev clang-tidy-19 clang-format-19 llvm-19
}

# need_packages NAME...: installs those that are missing, as root or through sudo; otherwise prints
# the command and exits with status 2.
need_packages() {
  local missing=() name sudo=()
  if ! has_command dpkg-query; then
    say "no Debian here: these packages, or their counterparts, must be installed: $*"
    return
  fi
  while read -r name; do
    package_installed "$name" || missing+=("$name")
  done < <(printf '%s\n' "$@" | sort -u)
  ((${#missing[@]} == 0)) && return

  if ((EUID != 0)); then
    if has_command sudo && { sudo -n true 2>/dev/null || { [[ -t 0 ]] && sudo -v; }; }; then
      sudo=(sudo)
    else
      printf 'These packages are missing. Install them and run this again:\n  %s\n' \
        "apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
      exit 2
    fi
  fi
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300
    -o Dpkg::Use-Pty=0)
  say "installing ${missing[*]}"
  watched "apt-get update" "${apt[@]}" update
  # Never at the price of a package that is there (Debian's old rustc, say): the person decides.
  watched "apt-get install" "${apt[@]}" install --yes --no-install-recommends --no-remove \
    "${missing[@]}"
}

package_installed() {
  [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

has_command() { command -v "$1" >/dev/null 2>&1; }

# use_rust: puts a cargo and rustc of at least 1.87 on the PATH; false when there is none.
use_rust() {
  rust_is_new_enough && return
  PATH=$HOME/.cargo/bin:$PATH rust_is_new_enough || return 1
  export PATH=$HOME/.cargo/bin:$PATH
}

rust_is_new_enough() {
  local version
  has_command cargo || return 1
  version=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
  [[ -n $version ]] && ((version >= 87))
}

# ---- Files --------------------------------------------------------------------------------------

sha256() { sha256sum "$1" | cut -d ' ' -f 1; }

# check_sha256 FILE HASH: dies unless the file has that hash.
check_sha256() {
  local actual
  actual=$(sha256 "$1")
  [[ $actual == "$2" ]] ||
    die "$(basename "$1") is not the file that was pinned: sha256 $actual, expected $2"
}

# put_in_place NEW TARGET: moves a finished file or folder to its place in one step, so that an
# interrupted run never leaves half of it there. Both are on the same file system.
put_in_place() {
  mkdir -p "$(dirname "$2")"
  [[ -d $2 ]] && rm -rf "$2"
  mv -T "$1" "$2"
}

# ---- Building -----------------------------------------------------------------------------------

# configure PRESET [NAME=VALUE...]: makes build/PRESET, unless it is there with these settings; then
# ninja brings it up to date by itself.
configure() {
  local preset=$1 folder=$root/build/$1 setting there=yes
  local settings=("INGLE_CACHE_DIR=$INGLE_CACHE" "${@:2}")
  [[ -f $folder/build.ninja ]] || there=no
  for setting in "${settings[@]}"; do
    # CMake's own file has lines NAME:TYPE=VALUE.
    grep -qE "^${setting%%=*}:[A-Z]+=${setting#*=}\$" "$folder/CMakeCache.txt" 2>/dev/null ||
      there=no
  done
  [[ $there == yes ]] ||
    watched "configuring build/$preset" cmake -S "$root" --preset "$preset" "${settings[@]/#/-D}"
}

# build PRESET TARGET...: with ninja's own status line on a terminal.
build() {
  local command=(ninja -C "$root/build/$1" -j "$(nproc)" "${@:2}")
  export NINJA_STATUS='[%f/%t, %es] '
  if [[ -t 2 ]]; then
    say "building build/$1"
    "${command[@]}" >&2
  else
    watched "building build/$1: ${*:2}" "${command[@]}"
  fi
}
