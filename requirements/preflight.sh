#!/bin/sh
# Says in one line why `make` cannot go on: no git, a Python that is too old, or no package index.
#
#   preflight.sh git
#   preflight.sh python PYTHON
#   preflight.sh install VENV ARGUMENT…     pip install, its output kept in VENV/pip.log
set -u

fail() {
    echo "make: $1" >&2
    exit 2
}

check_git() {
    command -v git >/dev/null 2>&1 || fail "git is missing. Install git and run make again."
}

check_python() {
    command -v "$1" >/dev/null 2>&1 ||
        fail "$1 is missing. Install Python 3.11 or newer, or name it: make PYTHON=/path/to/python."
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "$("$1" --version 2>&1) is too old. Install Python 3.11 or newer, or name it: make PYTHON=/path/to/python."
    "$1" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$1 has no venv module. Install it (Debian: apt install python3-venv) and run make again."
}

install() {
    venv=$1
    shift
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@" >"$venv/pip.log" 2>&1 && return
    # Without an answer of the index pip reports the first requirement as one without versions.
    if grep -Eq 'connection broken|Connection ?Error|ConnectTimeout|from versions: none' "$venv/pip.log"; then
        fail "No package index answers. Connect to the network or set PIP_INDEX_URL, then run make again (see $venv/pip.log)."
    fi
    cat "$venv/pip.log" >&2
    exit 1
}

case $1 in
git) check_git ;;
python) check_python "$2" ;;
install)
    shift
    install "$@"
    ;;
*) fail "preflight.sh does not know $1." ;;
esac
