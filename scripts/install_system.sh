#!/usr/bin/env bash
# What the tests need and pip cannot bring: a Chromium and a PostgreSQL server, as packages of
# Debian. Installs only what lacks; fails, naming it, where it may not. With --simulate it only
# says what it would do. The tests start their own server, and know no other.
set -euo pipefail

programs() { command -v "$@" >/dev/null 2>&1; }

lacking=()
programs chromium || programs chromium-browser || programs google-chrome || programs chrome ||
    lacking+=(chromium fonts-liberation)  # it draws no letter without a font
programs initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ||
    lacking+=(postgresql)

if [ "${#lacking[@]}" -eq 0 ]; then
    echo "a browser and PostgreSQL are installed"
    exit 0
fi
if ! programs apt-get; then
    echo "needs ${lacking[*]}, by those names in Debian, and there is no apt-get here" >&2
    exit 1
fi
root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "needs root, or sudo without a password, for: apt-get install ${lacking[*]}" >&2
        exit 1
    fi
    root=(sudo -n)
fi
apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet "$@"; }

if [ "${1:-}" = --simulate ]; then
    apt --simulate install --no-install-recommends "${lacking[@]}"
else
    apt update
    apt install --no-install-recommends "${lacking[@]}"
fi
