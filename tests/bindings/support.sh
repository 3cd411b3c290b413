# Shared by the tests that use Cairn as a user gets it. Sourced in the root folder of the repository.
#
# $work is a temporary folder, which is deleted at the end. $says is what the first program of README.md
# prints in all languages.

source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The options of a surrounding build must not reach the builds of these tests.
unset CXXFLAGS CPPFLAGS LDFLAGS DESTDIR
says='the crate rests at a height of 1.500'

fail() {
    echo "$(basename "$(dirname "$0")"): $*" >&2
    exit 1
}

quietly() {
    "$@" > "$work/log" 2>&1 || { tail -40 "$work/log"; fail "failed: $*"; }
}

# says COMMAND...: the last line that it prints is that text
says() {
    local output
    output=$("$@") || fail "$* failed: $output"
    output=$(tail -n 1 <<< "${output//$'\r'/}")
    [ "$output" = "$says" ] || fail "$* says '$output'"
}

# gives_hashes COMMAND...: it prints the hashes of the scenes in tests/bindings/reach
gives_hashes() {
    "$@" | tr -d '\r' | diff "$source/tests/bindings/reach/hashes.txt" - || fail "$*: other hashes"
}

# block FILE LANGUAGE [N]: the N-th block of code in that language
block() {
    awk -v start='^```'"$2"'$' -v wanted="${3:-1}" \
        '/^```$/ { on = 0 } on; $0 ~ start { on = ++count == wanted }' "$source/$1"
}

# The first program of README.md in C, which is also in cairn.h.
write_hello() { block README.md c > "$1"; }

# The program that builds the scenes of tests/bindings/reach and prints their hashes.
write_scenes() {
    sed 's|"../../../engine/cairn.h"|<cairn.h>|' "$source/tests/bindings/reach/scenes.c" > "$1"
}

# write_cmake_project FOLDER: the first program, with the lines of the input that find Cairn
write_cmake_project() {
    mkdir -p "$1"
    write_hello "$1/hello.c"
    {
        printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(game C)' 'set(CMAKE_C_STANDARD 11)'
        cat
        printf '%s\n' 'add_executable(game hello.c)' 'target_link_libraries(game PRIVATE cairn::cairn)'
    } > "$1/CMakeLists.txt"
}

# build_by_cmake PROJECT BUILD-FOLDER OPTION...: the program there prints that text
build_by_cmake() {
    local project=$1 folder=$2
    shift 2
    quietly cmake -S "$project" -B "$folder" "$@"
    quietly cmake --build "$folder" --parallel 2
    says "$folder/game"
}

# write_meson_project FOLDER: the first program, which asks for Cairn; subprojects/ is empty
write_meson_project() {
    mkdir -p "$1/subprojects"
    write_hello "$1/hello.c"
    cat > "$1/meson.build" << 'END_OF_PROJECT'
project('game', 'c', default_options: ['optimization=0'])
executable('game', 'hello.c', dependencies: dependency('cairn'))
END_OF_PROJECT
}

# build_by_meson PROJECT BUILD-FOLDER: the program there prints that text
build_by_meson() {
    quietly meson setup "$2" "$1"
    quietly ninja -C "$2" game
    says "$2/game"
}
