#!/usr/bin/env bash
# Installs Cairn into a temporary folder and uses it from there with pkg-config. Also embeds Cairn
# as a subproject, without demo and tests, in all the ways that engine/bindings/README.md describes.
# The programs are those of README.md, of that file, and demo/hello.c. The recipes compile, too.
#
#     install.sh SOURCE-FOLDER
#
# CC and CXX are the compilers (default: cc and c++). Without a C++ compiler the C++ programs are
# skipped.
set -euo pipefail

cd "$1"
. tests/bindings/support.sh
cd "$work"
export CC=${CC:-cc} CXX=${CXX:-c++}
unset MALLOC_PERTURB_
# This is a test of the package: without optimisation, a build takes a fraction of the time.
export CFLAGS="-O0 '-DCN_INLINE=static inline'"
strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
cpp_says='the crate falls at -0.167 m/s'

# ---- the programs

block README.md c > game.c
block engine/bindings/README.md cpp > game.cpp
block engine/bindings/README.md meson > embed.meson
# The blocks of the recipes are pieces of a game: a type, a function, which begins with "static", or
# statements, which are put into a function. These are the declarations that the pieces lack:
around_statements='extern cn_world *world; extern cn_body wall, door;
void play_thud(vec2s point, float speed);'
functions= statements=
for ((n = 1; ; n++)); do
    piece=$(block engine/bindings/docs/guides/recipes.md c $n)
    case $piece in
    '') break ;;
    'typedef '*) functions+=$piece$'\n' ;;
    'static '*) piece=${piece#static } functions+="${piece%%' {'*};"$'\n'$piece$'\n' ;;
    *) statements+="void piece_$n(void);"$'\n'"void piece_$n(void) {"$'\n'$piece$'\n'"}"$'\n' ;;
    esac
done
printf '%s\n' '#include <cairn.h>' '#include <math.h>' '#include <stdio.h>' '#include <stdlib.h>' \
    "$functions" "$around_statements" "$statements" > pieces.c
sed 's|"../engine/cairn.h"|<cairn.h>|' "$source/demo/hello.c" > hello.c
# The program in cairn.h is the README's.
sed -n '/#include <cairn.h>/,/^ \*     }$/ s/^ \* \{0,5\}//p' "$source/engine/cairn.h" > header.c
diff header.c game.c || fail 'the programs of README.md and cairn.h differ'
[ -s game.c ] && [ -s game.cpp ] && [ -s embed.meson ] || fail 'a program is missing in a README.md'
[ -n "$functions" ] && [ -n "$statements" ] || fail 'recipes.md has no pieces of a game'

has_cpp() {
    command -v ${CXX%% *} > /dev/null && echo 'int main() {}' | $CXX -std=c++20 -x c++ - -o cpp-works
}

# no_library PROGRAM NAME: the program does not load this library
no_library() {
    command -v readelf > /dev/null || return 0
    ! readelf -d "$1" | grep -q "NEEDED.*lib$2\." || fail "$1 loads lib$2"
}

# use NAME [--static]: compiles and runs the programs with pkg-config's options
use() {
    local name=$1 flags
    shift
    case " $* " in
    *' --static '*) flags="-static $(pkg-config --static --cflags --libs cairn)" ;;
    *) flags=$(pkg-config --cflags --libs cairn) ;;
    esac
    $CC $strict game.c $flags -o "$name-game"
    $CC $strict -Wno-unused-variable -c pieces.c $(pkg-config --cflags cairn) -o pieces.o
    $CC $strict -std=c17 hello.c $flags -o "$name-hello"
    says "./$name-game"
    says "./$name-hello"
    no_library "$name-game" cglm
    if has_cpp; then
        $CXX -std=c++20 $strict -Wno-missing-field-initializers game.cpp $flags -o "$name-cpp"
        says=$cpp_says says "./$name-cpp"
    fi
    echo "ok: $name: pkg-config says $flags"
}

# ---- installed

# install_library KIND PREFIX: installs, and sets $found to the folder of cairn.pc
install_library() {
    meson setup "build-$1" "$source" --prefix="$2" -Ddefault_library="$1" \
        -Ddemo=disabled -Dtests=disabled > log 2>&1 || { cat log; fail "cannot set up $1"; }
    meson install -C "build-$1" > log 2>&1 || { cat log; fail "cannot install $1"; }
    found=$(find "$work" -path "*${DESTDIR:-}$2/*" -name cairn.pc)
    [ -f "$found" ] || fail "$1: there is no cairn.pc"
    found=$(dirname "$found")
}

install_library both "$work/both"
cmp "$source/engine/bindings/api.json" both/share/cairn/api.json || fail 'api.json is not installed'
export PKG_CONFIG_PATH=$found
LD_LIBRARY_PATH=$(dirname "$found") use shared
no_library "$found/../libcairn.so" cglm
if echo 'int main(void) { return 0; }' | $CC -static -x c - -o static-works -lm 2> /dev/null; then
    use fully_static --static
fi

# Only the static library, and moved: the folder of DESTDIR is the system root.
export DESTDIR=$work/root
install_library static /opt/cairn
unset DESTDIR
PKG_CONFIG_PATH=$found PKG_CONFIG_SYSROOT_DIR=$work/root use static
no_library static-game cairn

# ---- embedded

# A project with Cairn in subprojects/. One program uses it as the documents say, another one by
# subproject().
mkdir -p game/subprojects/cairn
cp -R "$source/meson.build" "$source/meson_options.txt" "$source/engine" game/subprojects/cairn
cp game.c game
cat > game/meson.build << END
project('game', 'c')
$(grep '^cairn_dep' embed.meson)
executable('fallback', 'game.c', dependencies: cairn_dep)
executable('subproject', 'game.c',
  dependencies: subproject('cairn').get_variable('cairn_dep'))
END
unset PKG_CONFIG_PATH
meson setup embedded game > log 2>&1 || { cat log; fail 'cannot set up a project with Cairn in it'; }
ninja -C embedded > log 2>&1 || { cat log; fail 'cannot build a project with Cairn in it'; }
says embedded/fallback
says embedded/subproject
echo 'ok: a project with Cairn in it'
