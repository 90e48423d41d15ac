#!/bin/sh
# From a fresh Debian 12 to the running program, or to every test passed.
#
#   packaging/bootstrap.sh demo    installs what is missing, builds, opens the bundled example
#   packaging/bootstrap.sh test    installs what is missing, builds, runs every test
#
# Run again, each does only what is new.
set -eu
cd "$(dirname "$0")/.."

say() { printf '== %s\n' "$*"; }

# install KIND…: the packages of these kinds in apt-packages.txt that are not there yet.
install() {
    missing=
    for kind in "$@"; do
        for package in $(sed -n "s/^$kind  *//p" packaging/apt-packages.txt); do
            status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
            [ "$status" = installed ] || missing="$missing $package"
        done
    done
    [ -n "$missing" ] || return 0
    say "installing:$missing"
    root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "bootstrap: not root and no sudo; install these packages:$missing" >&2; exit 1; }
        root=sudo
    fi
    $root apt-get update -qq
    # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}

# build PRESET: configures once, then builds what changed.
build() {
    say "building: $1"
    [ -f "build/$1/build.ninja" ] || cmake --preset "$1"
    cmake --build --preset "$1"
}

demo() {
    install run
    build release
    example=resources/example
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        say "opening $example/linux-6.1-hackbench.dat above linux-6.12-hackbench.dat"
        exec build/release/twolane $example/linux-6.1-hackbench.dat $example/linux-6.12-hackbench.dat
    fi
    mkdir -p demo-out
    for workload in hackbench interactive; do
        build/release/twolane --grab demo-out/$workload.png --grab-size 1600x1000 \
            $example/linux-6.1-$workload.dat $example/linux-6.12-$workload.dat
    done
    say "no display here: the window's pictures are in demo-out/"
    ls -l demo-out
}

run_tests() {
    install run test
    # Without Qt and fast: the numbers against the reference. Then the fuzz targets on their corpus,
    # and last everything, the window too, under the sanitizers.
    for preset in nogui fuzz asan; do
        build $preset
        ctest --preset $preset
    done
}

case "${1:-}" in
demo) demo ;;
test) run_tests ;;
*)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
