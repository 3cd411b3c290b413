#!/usr/bin/env bash
# Tests README.md as a new user would: clones the repository, copies the commands and programs out of the
# page, and runs each in an empty folder. All programs must print the same line.
#
#     c         the library is installed into an empty root, and pkg-config finds it
#     cmake     a project that adds the clone as a subdirectory
#     meson     a project that gets the clone by the wrap file
#     one       cairn.c and cairn.h
#     js        the package is built and installed in a project
#     python    the package is built and installed in a virtual environment
#     lua       cairn.lua loads the library
#     scripts   demo/run.sh makes its picture; the other scripts exist
#     links     the links of all Markdown files lead somewhere
#
#     run.sh [PART]...      default: all
#
# If all parts run, each line of the blocks and of the table must have been used. The last commit is tested.
# Missing Debian packages are installed: those that the page names, and for Python the tools that pip
# would download.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
all='c cmake meson one js python lua scripts links'
parts=${*:-$all}

. tests/bindings/support.sh
unset DISPLAY WAYLAND_DISPLAY
# This is a test of the page: builds without optimisation take a fraction of the time.
export CFLAGS="-O0 '-DCN_INLINE=static inline'" CMAKE_BUILD_TYPE=Debug

want python3 python3 --version
want git git --version
install_missing
git clone -q "$source" "$work/clone"
python3 tests/bindings/readme/split.py "$work/clone/README.md" "$work/page"
grep -qF "\`$says\`" "$work/clone/README.md" || fail "the page does not promise '$says'"

# take NAME: prints the path of a piece of the page, and marks the piece as used
take() {
    [ -s "$work/page/$1" ] || fail "README.md has no $1"
    cat "$work/page/$1" >> "$work/page/$1.used"
    echo "$work/page/$1"
}

# line_of NAME PREFIX: prints the line of a piece that begins with PREFIX, and marks it as used
line_of() {
    grep "^$2" "$work/page/$1" | tee -a "$work/page/$1.used" || fail "$1 has no line that begins with $2"
}

# begin ROW: installs the packages of a row, and enters an empty folder with a clone and a project
begin() {
    local package packages
    packages=$(cat "$(take "$1.packages")")
    for package in $packages; do
        case $package in
        nodejs) want nodejs node --version ;; # node is often installed from elsewhere
        npm) want npm npm --version ;;
        *) want "$package" dpkg -s "$package" ;;
        esac
    done
    install_missing
    mkdir -p "$work/$1/game"
    git clone -q "$work/clone" "$work/$1/cairn"
    cd "$work/$1/game"
}

# run_commands ROW: runs the commands of a row in the clone
run_commands() {
    (cd "$work/$1/cairn" && quietly bash -euo pipefail "$(take "$1.commands")")
}

# install_library: runs the commands for C, once, as if $root were the root folder of the machine
root=$work/root
install_library() {
    [ ! -d "$root" ] || return 0
    begin c-c
    mkdir "$root" "$work/shims"
    printf '#!/bin/sh\nexec "$@"\n' > "$work/shims/sudo"
    printf '#!/bin/sh\nexit 0\n' > "$work/shims/ldconfig"
    chmod +x "$work"/shims/*
    DESTDIR=$root PATH=$work/shims:$PATH run_commands c-c
    library=$root/usr/local/lib
    [ -f "$library/pkgconfig/cairn.pc" ] || fail 'pkg-config would not find the library'
}

test_c() {
    install_library
    cd "$work/c-c/game"
    cp "$(take a-program.c)" game.c
    line_of a-program.sh cc > build.sh
    export LD_LIBRARY_PATH=$library PKG_CONFIG_PATH=$library/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    says bash -euo pipefail build.sh
    unset LD_LIBRARY_PATH PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
}

test_cmake() {
    begin cmake
    cp "$(take a-program.c)" game.c
    {
        printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(game C)'
        line_of cmake.commands add_subdirectory
        echo 'add_executable(game game.c)'
        line_of cmake.commands target_link_libraries
    } > CMakeLists.txt
    quietly cmake -B build
    quietly cmake --build build --parallel 2
    says build/game
}

test_meson() {
    begin meson
    cp "$(take a-program.c)" game.c
    mkdir subprojects
    sed "s|^url = .*|url = file://$work/clone|; /^depth/d
        s|^revision = .*|revision = $(git -C "$work/clone" rev-parse HEAD)|" \
        ../cairn/engine/bindings/cairn.wrap > subprojects/cairn.wrap
    {
        echo "project('game', 'c')"
        echo "executable('game', 'game.c', dependencies: $(cat "$(take meson.commands)"))"
    } > meson.build
    quietly meson setup build
    quietly ninja -C build game
    says build/game
}

test_one() {
    begin one-c-file
    cp "$(take a-program.c)" game.c
    run_commands one-c-file
    says ./game
}

test_js() {
    begin javascript-typescript
    run_commands javascript-typescript
    cp "$(take a-program.js)" game.mjs
    line_of a-program.sh node > run.sh
    says bash -euo pipefail run.sh
}

# pip builds with the tools of this machine instead of those that it would download.
test_python() {
    want 'python3-mesonpy patchelf' eval '/usr/bin/python3 -c "import mesonpy" && patchelf --version'
    begin python
    /usr/bin/python3 -m venv --system-site-packages ../venv
    export PATH=$work/python/venv/bin:$PATH PIP_NO_BUILD_ISOLATION=0 PIP_NO_INDEX=1
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    run_commands python
    cp "$(take a-program.python)" game.py
    line_of a-program.sh python3 > run.sh
    says bash -euo pipefail run.sh
}

test_lua() {
    install_library
    begin lua-löve
    run_commands lua-löve
    LD_LIBRARY_PATH=$library quietly luajit -e 'require("cairn").World{}:step(1 / 60)'
}

test_scripts() {
    local script commands
    commands=$(take build-and-test.sh)
    git clone -q "$work/clone" "$work/scripts"
    cd "$work/scripts"
    while read -r script _; do
        [ -x "$script" ] || fail "there is no script $script"
        case $script in
        demo/run.sh)
            quietly "$script"
            [ -s build/demo/demo.png ] || fail 'the demo made no picture'
            ;;
        tests/*) ;; # too long for here
        *) fail "what does $script do?" ;;
        esac
    done < "$commands"
}

test_links() {
    python3 "$source/tests/bindings/readme/links.py" "$work/clone"
}

for part in $parts; do
    "test_$part"
    cd "$source"
    echo "ok: $part (after $SECONDS s)"
done
[ "$parts" = "$all" ] || exit 0
for piece in "$work"/page/*.*; do
    [ "${piece%.used}" = "$piece" ] || continue
    touch "$piece.used"
    diff <(sort -u "$piece") <(sort -u "$piece.used") ||
        fail "nothing tests these lines of ${piece##*/} of README.md"
done
echo 'ok: every line of the blocks and of the table is tested'
