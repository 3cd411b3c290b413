# Installs missing packages with apt-get. Sourced by demo/run.sh, tests/run.sh and .ci/run:
#
#     want PACKAGES COMMAND...     the Debian packages are missing if the command fails
#     install_missing              installs the missing packages, or prints their names and exits
#
# If nothing is missing, neither apt-get nor sudo runs.

missing=()

want() {
    local packages=$1
    shift
    "$@" > /dev/null 2>&1 || missing+=($packages)
}

# compiles COMPILER LANGUAGE LINE: succeeds if the compiler makes a program that begins with the line
compiles() {
    printf '%s\nint main(void) { return 0; }\n' "$3" | "$1" -x "$2" - -o /dev/null
}

has_cglm() {
    compiles cc c '#include <cglm/struct/vec2.h>' || pkg-config --exists cglm
}

want_build_tools() {
    want 'gcc libc6-dev' compiles cc c ''
    want meson meson --version
    want ninja-build ninja --version
    want pkg-config pkg-config --version
    want libcglm-dev has_cglm
}

want_demo_libraries() {
    want libsdl2-dev pkg-config --exists sdl2
    want libstb-dev eval "pkg-config --exists stb || compiles cc c '#include <stb/stb_image_write.h>'"
}

may_install() {
    command -v apt-get > /dev/null || return
    [ "$(id -u)" = 0 ] && return
    command -v sudo > /dev/null || return
    [ -t 0 ] || sudo -n true 2> /dev/null # on a terminal, sudo can prompt for the password
}

run_apt_get() {
    local prefix=()
    [ "$(id -u)" = 0 ] || prefix=(sudo)
    "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a \
        apt-get -y -o DPkg::Lock::Timeout=300 "$@"
}

install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "cairn: missing packages: ${missing[*]}"
    if ! may_install; then
        echo "cairn: cannot install them: this needs apt-get, and root or sudo without a password." >&2
        echo "Install them, then run this script again:" >&2
        echo "    apt-get install ${missing[*]}" >&2
        exit 1
    fi
    run_apt_get update || echo "cairn: apt-get update failed; using the existing package lists" >&2
    if ! run_apt_get install --no-install-recommends "${missing[@]}"; then
        echo "cairn: apt-get could not install ${missing[*]} (on Ubuntu they need 'universe')" >&2
        exit 1
    fi
    missing=()
}
