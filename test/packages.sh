# packages.sh - sourced by check and demo: the Debian packages we need, and how to get them.
# shellcheck shell=bash
# to build and run
PACKAGES="build-essential cmake ninja-build pkg-config openjdk-17-jdk-headless liblmdb-dev libcjson-dev libzstd-dev
    libxxhash-dev libzip-dev libpcre2-dev libsqlite3-dev zlib1g-dev libcivetweb-dev libcmocka-dev python3 ecj
    libcurl4-openssl-dev libxml2-dev"
# for the tests: the workloads of the slice (test/CMakeLists.txt) and the jars of the corpus slice
# shellcheck disable=SC2034
TEST_PACKAGES="bc black clang-format abigail-tools libh2-java librhino-java sat4j libasm-java man-db mandoc zsh fish
    tmux less"
# readers of exports: protoc, babeltrace2, sqlite3
TEST_PACKAGES="$TEST_PACKAGES protobuf-compiler babeltrace2 sqlite3"
# readers of profiles and diagrams: callgrind_annotate, Go's pprof, dot, plantuml
TEST_PACKAGES="$TEST_PACKAGES valgrind golang-go graphviz plantuml"
# the schema of xml, the heap library of VisualVM
TEST_PACKAGES="$TEST_PACKAGES libxml2-utils visualvm"
# fleet query --server
TEST_PACKAGES="$TEST_PACKAGES clickhouse-server curl"
# another implementation of JDI than that of the JDK
TEST_PACKAGES="$TEST_PACKAGES libeclipse-jdt-debug-java"
# for the page of hindsight view and clients of tests; node has npm with it when it does not come from Debian
command -v npm >/dev/null || PACKAGES="$PACKAGES nodejs npm"
# other agents, a clock that jumps (beside/)
TEST_PACKAGES="$TEST_PACKAGES libjacoco-java libbyte-buddy-java libfaketime"
TEST_PACKAGES="$TEST_PACKAGES chromium" # the page is tested in it
TEST_PACKAGES="$TEST_PACKAGES clang-tidy cppcheck" # analysis.sh
# test frameworks (clients/junit)
TEST_PACKAGES="$TEST_PACKAGES junit4 junit5 testng libassertj-core-java libtruth-java"
# builds that run tests (clients/builds)
TEST_PACKAGES="$TEST_PACKAGES maven libsurefire-java libmaven-compiler-plugin-java libmaven-resources-plugin-java gradle
    ant ant-optional libmockito-java"
TEST_PACKAGES="$TEST_PACKAGES libtomcat10-embed-java libtomcat10-java libjetty9-java" # soak

# check --coverage, fuzz/run.sh
# shellcheck disable=SC2034
COVERAGE_PACKAGES="clang llvm libclang-rt-dev"

# install_missing PACKAGE...: apt-get, only when something is missing; needs no network otherwise. As root or with sudo.
install_missing() {
    local missing=() package sudo=()
    for package; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "== installing ${missing[*]}"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            echo "$0: not root and no sudo: install by hand: apt-get install ${missing[*]}" >&2
            exit 1
        }
        sudo=(sudo)
    fi
    # one at a time: several tests of --full install what they need
    "${sudo[@]}" flock /var/lib/apt sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"' sh "${missing[@]}"
}
