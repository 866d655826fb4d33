#!/bin/sh
# Runs a command with a container engine of its own, or with the one that answers already:
#     engine.sh COMMAND ARGUMENTS…
# Where none answers and none can be started, the command runs without (PARLEY_ENGINE=none): it says so itself.
# Needs, on Debian: apt-get install -y --no-install-recommends docker.io iptables
set -u

if docker version > /dev/null 2>&1; then
  PARLEY_ENGINE=found TESTCONTAINERS_RYUK_DISABLED=true exec "$@"
fi

dockerd=$(PATH=$PATH:/usr/sbin command -v dockerd) || dockerd=
if [ -z "$dockerd" ] || [ "$(id -u)" != 0 ]; then
  PARLEY_ENGINE=none exec "$@"
fi

# Not ours to remove, if it is there before.
bridge=$(test -e /sys/class/net/docker0 && echo there || echo none)
place=$(mktemp -d /tmp/parley-engine.XXXXXX)
export PATH="$PATH:/usr/sbin"
"$dockerd" --data-root "$place/data" --exec-root "$place/exec" --pidfile "$place/pid" -H "unix://$place/socket" \
  > "$place/log" 2>&1 &
daemon=$!

stop() {
  kill "$daemon" 2> /dev/null
  wait "$daemon" 2> /dev/null
  umount "$place/exec/netns/default" 2> /dev/null
  if [ "$bridge" = none ]; then ip link delete docker0 2> /dev/null; fi
  rm -rf "$place"
}
trap stop EXIT
trap 'exit 130' INT TERM

export DOCKER_HOST="unix://$place/socket"
tries=0
until docker version > /dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$daemon" 2> /dev/null; then
    echo 'the engine does not start; the end of its log:' >&2
    tail -n 5 "$place/log" >&2
    PARLEY_ENGINE=none "$@"
    exit $?
  fi
  sleep 0.1
done
# The tests remove what they start: no helper's image is fetched for it. This engine goes with all that is left.
PARLEY_ENGINE=own TESTCONTAINERS_RYUK_DISABLED=true "$@"
