#!/bin/sh
# Installs the sandbox-agent executable: takes the build for this machine, checks it against the checksums of the release,
# tries it out, and puts it in place in one step. What was there before stays until then.
#
# SANDBOX_AGENT_DOWNLOAD_URL  the directory with the executables and SHA256SUMS (default: that of the release)
# INSTALL_DIR                 where to put it (default: ~/.local/bin)
set -eu

# The script that comes with a release has its address here.
release_url=

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

has() {
  command -v "$1" > /dev/null 2>&1
}

# Some systems have the loaders of both; their own ldd knows better.
is_musl() {
  case "$(ldd --version 2>&1 || true)" in
    *musl*) return 0 ;;
    *GLIBC* | *glibc* | *GNU*) return 1 ;;
  esac
  for loader in /lib/ld-musl-*; do
    if [ -e "$loader" ]; then return 0; fi
  done
  return 1
}

platform() {
  case "$(uname -s)" in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail "there is no build for $(uname -s); see the list of downloads" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail "there is no build for the processor $(uname -m)" ;;
  esac
  if [ "$os" = linux ] && is_musl; then
    echo "$os-$cpu-musl"
  else
    echo "$os-$cpu"
  fi
}

download() { # from, to
  if has curl; then
    curl --fail --silent --show-error --location --output "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is installed"
  fi || fail "$1 could not be downloaded"
}

sha256() {
  if has sha256sum; then
    sha256sum < "$1"
  elif has shasum; then
    shasum -a 256 < "$1"
  elif has openssl; then
    openssl dgst -sha256 -r < "$1"
  else
    fail "there is nothing to compute a checksum with: install sha256sum, shasum or openssl"
  fi | cut -d ' ' -f 1
}

main() {
  url=${SANDBOX_AGENT_DOWNLOAD_URL:-$release_url}
  [ -n "$url" ] || fail "set SANDBOX_AGENT_DOWNLOAD_URL to the directory to download from"
  directory=${INSTALL_DIR:-$HOME/.local/bin}
  build=$(platform)
  name=sandbox-agent-$build

  mkdir -p "$directory" || fail "$directory cannot be created; choose another one with INSTALL_DIR"
  stage=$(mktemp -d "$directory/.sandbox-agent.XXXXXX") || fail "$directory cannot be written; choose another one with INSTALL_DIR"
  trap 'rm -rf "$stage"' EXIT
  trap 'exit 1' HUP INT TERM

  download "$url/SHA256SUMS" "$stage/SHA256SUMS"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\$/\1/p" "$stage/SHA256SUMS")
  [ -n "$expected" ] || fail "the release has no build for $build"
  echo "Downloading $name"
  download "$url/$name" "$stage/sandbox-agent"
  actual=$(sha256 "$stage/sandbox-agent")
  [ "$actual" = "$expected" ] || fail "the checksum of $name is wrong: $actual instead of $expected; nothing was installed"

  chmod 755 "$stage/sandbox-agent"
  if ! version=$("$stage/sandbox-agent" --version 2>&1); then
    case "$build" in *-musl) hint="; with musl it needs libstdc++ (apk add libstdc++)" ;; *) hint= ;; esac
    fail "the executable does not run here$hint: $version"
  fi
  mv -f "$stage/sandbox-agent" "$directory/sandbox-agent"
  echo "Installed sandbox-agent $version in $directory"
  case ":$PATH:" in
    *":$directory:"*) ;;
    *) echo "It is not on your PATH yet: export PATH=\"$directory:\$PATH\"" ;;
  esac
}

main "$@"
