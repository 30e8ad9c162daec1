#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds three Debian packages, as they are, with CC="treadle cc" through their own configure
# and make, and uses the programs by hand.
#
#   run.sh TREADLE [xz|memcached|fio ...]
#
# Sources come through a throw-away apt directory; nothing is installed and no root is needed.
# TREADLE_DROPIN_CACHE names a directory in which downloads are kept. The system's libevent is
# used if its headers are there, otherwise its packages are unpacked beside the sources.
set -u

treadle=$(realpath "$1")
shift
packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(xz memcached fio)

work=$(mktemp -d "${TMPDIR:-/tmp}/treadle-dropin.XXXXXX")
cache=${TREADLE_DROPIN_CACHE:-$work/cache}
jobs=$(nproc)
passed=0
failed=0

trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

ok()
{
    passed=$((passed + 1))
    echo "ok    $1"
}

# Name of the check, log file whose end is shown.
bad()
{
    failed=$((failed + 1))
    echo "FAIL  $1"
    [ -z "${2:-}" ] || tail -n 15 "$2" | sed 's/^/      /'
}

# Name, log, command: one check. The command has a shell of its own.
check()
{
    local name=$1 log=$2
    shift 2
    if ("$@") >"$log" 2>&1; then ok "$name"; else bad "$name" "$log"; return 1; fi
}

# ---- sources ----

apt=$work/apt
apt_options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts"
             -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache"
             -o APT::Sandbox::User=root)

apt_start()
{
    [ ! -d "$apt" ] || return 0
    mkdir -p "$apt"/{lists/partial,cache/archives/partial,parts}
    if [ -e /etc/apt/sources.list.d/debian.sources ]; then
        sed 's/^Types: .*/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
            >"$apt/parts/all.sources"
    else
        sed -n 's/^deb \(.*\)/deb \1\ndeb-src \1/p' /etc/apt/sources.list >"$apt/parts/all.list"
    fi
    apt-get "${apt_options[@]}" update
}

# Package, directory to unpack into.
source_get()
{
    mkdir -p "$cache" && cd "$cache" || return 1
    if ! compgen -G "$1_*.dsc" >/dev/null; then
        apt_start && apt-get "${apt_options[@]}" --download-only source "$1" || return 1
    fi
    dpkg-source --no-check -x "$1"_*.dsc "$2"
}

has_libevent()
{
    echo '#include <event.h>' | cc -E - >/dev/null 2>&1
}

libevent_get()
{
    mkdir -p "$cache" && cd "$cache" || return 1
    if ! compgen -G 'libevent-dev_*.deb' >/dev/null; then
        apt_start && apt-get "${apt_options[@]}" download libevent-dev libevent-2.1-7 || return 1
    fi
    for deb in libevent*.deb; do
        dpkg-deb -x "$deb" "$work/libevent" || return 1
    done
}

# ---- xz ----

xz_round_trip()
{
    local xz=$work/xz-utils/src/xz/xz
    cd "$work" || return 1
    seq 1 300000 >plain || return 1
    "$xz" -T2 --block-size=256KiB -c plain >plain.xz || return 1
    [ "$(stat -c %s plain.xz)" -lt "$(stat -c %s plain)" ] || return 1
    "$xz" -t plain.xz || return 1
    "$xz" -T2 -dc plain.xz | cmp - plain
}

test_xz()
{
    check "xz: sources" "$work/log" source_get xz-utils "$work/xz-utils" || return
    cd "$work/xz-utils" || return
    check "xz: configure" "$work/log" ./configure CC="$treadle cc" || return
    check "xz: make" "$work/log" make -j"$jobs" || return
    check "xz: round trip of a file, two threads" "$work/log" xz_round_trip
    check "xz: its own tests" "$work/log" make -j"$jobs" check
}

# ---- memcached ----

# Starts the server on a free port of the loopback, sets and gets a value, stops it.
memcached_answers()
{
    cd "$work/memcached" || return 1
    local port user=()
    port=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    [ "$(id -u)" -ne 0 ] || user=(-u root)
    ./memcached -l 127.0.0.1 -p "$port" -U 0 -t 2 "${user[@]}" &
    server=$!
    trap 'kill $server' EXIT
    python3 - "$port" <<'PY'
import socket, sys, time

def connect(port):
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port), 10)
        except OSError:
            time.sleep(0.1)
    sys.exit("the server does not listen")

def ask(f, request, *want):
    f.write(request)
    f.flush()
    got = [f.readline().rstrip(b"\r\n") for _ in want]
    if got != list(want):
        sys.exit(f"{request!r}: {got}")

port = int(sys.argv[1])
clients = [connect(port).makefile("rwb") for _ in range(4)]
for i, f in enumerate(clients):
    ask(f, b"set k%d 0 0 5\r\nhello\r\n" % i, b"STORED")
for i, f in enumerate(clients):
    k = b"k%d" % ((i + 1) % 4)
    ask(f, b"get " + k + b"\r\n", b"VALUE " + k + b" 0 5", b"hello", b"END")
    ask(f, b"get nothing\r\n", b"END")
PY
}

test_memcached()
{
    local flags=()
    check "memcached: sources" "$work/log" source_get memcached "$work/memcached" || return
    if ! has_libevent; then
        check "memcached: libevent" "$work/log" libevent_get || return
        local lib
        lib=$(dirname "$(find "$work/libevent" -name libevent.so | head -n 1)")
        flags=(CPPFLAGS="-I$work/libevent/usr/include" LDFLAGS="-L$lib -Wl,-rpath,$lib")
    fi
    cd "$work/memcached" || return
    check "memcached: configure" "$work/log" ./configure CC="$treadle cc" "${flags[@]}" || return
    check "memcached: make" "$work/log" make -j"$jobs" || return
    check "memcached: set and get by four clients" "$work/log" memcached_answers
}

# ---- fio ----

fio_job()
{
    cd "$work" || return 1
    ./fio/fio --name=t --ioengine=sync --rw=randrw --bs=4k --size=1m --filename="$work/fio.data" \
        --numjobs=2 --thread --verify=crc32c --do_verify=0 --output-format=json --output=fio.json &&
        python3 - <<'PY'
import json
jobs = json.load(open("fio.json"))["jobs"]
assert len(jobs) == 2 and all(j["error"] == 0 for j in jobs)
assert sum(j["read"]["io_bytes"] + j["write"]["io_bytes"] for j in jobs) == 2 << 20
PY
}

test_fio()
{
    check "fio: sources" "$work/log" source_get fio "$work/fio" || return
    cd "$work/fio" || return
    check "fio: configure" "$work/log" ./configure --cc="$treadle cc" || return
    check "fio: make" "$work/log" make -j"$jobs" || return
    check "fio: two threads on a file of 1 MiB" "$work/log" fio_job
}

for package in "${packages[@]}"; do
    "test_$package"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
