import { CIS_SCRIPT_PATH } from './paths.ts';

/** How long a machine tries, in seconds. */
export const RKE2_DEADLINE_SECONDS = 1800;

/**
 * The script that installs RKE2 and starts its service until that succeeds, for at most half an hour.
 *
 * Why: all machines of a cluster are launched at once. Their requirements (a NAT gateway, a server that they can join)
 * may become available later than the machine itself, and neither the download nor `systemctl start` waits for them.
 *
 * jinja renders the text with the rest of the document, so it must not contain double braces.
 */
export const RKE2_SCRIPT = `#!/bin/bash
# Usage: rke2-until-done.sh server|agent VERSION [air-gapped [CHECKSUM]]
set -o nounset -o pipefail

type="$1"
version="$2"
source="\${3:-online}"
checksum="\${4:-}"
deadline=${RKE2_DEADLINE_SECONDS}
pause=10
other=agent
[ "$type" = agent ] && other=server

say() { echo "rke2-until-done: $*" >&2; }

verified() {
  [ -z "$checksum" ] && return 0
  local found
  found="$(cat /opt/rke2-artifacts/sha256sum*.txt | sha256sum | cut -d' ' -f1)"
  [ "$found" = "$checksum" ] || { say "the artifacts have the checksum $found"; exit 1; }
}

install_rke2() {
  export INSTALL_RKE2_TYPE="$type"
  if [ "$source" = air-gapped ]; then
    verified && INSTALL_RKE2_ARTIFACT_PATH=/opt/rke2-artifacts sh /opt/install.sh
  else
    curl -sfL https://get.rke2.io | INSTALL_RKE2_VERSION="$version" sh -s -
  fi
}

until_done() {
  until "$@"; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      say "gave up: $*"
      return 1
    fi
    say "trying again in $pause seconds: $*"
    sleep "$pause"
  done
}

until_done install_rke2 || exit 1
[ ! -x ${CIS_SCRIPT_PATH} ] || ${CIS_SCRIPT_PATH} || exit 1
systemctl mask "rke2-$other.service" || true
systemctl enable "rke2-$type.service" || exit 1
until_done systemctl start "rke2-$type.service"
`;

/**
 * Prepares a machine for a CIS profile: creates the user of etcd, and sets the kernel parameters that come with RKE2.
 */
export const CIS_SCRIPT = `#!/bin/bash
set -o errexit

id etcd >/dev/null 2>&1 || useradd --system --user-group --no-create-home --shell /sbin/nologin --comment 'etcd user' etcd
for folder in /usr/share/rke2 /usr/local/share/rke2 /opt/rke2/share/rke2; do
  if [ -f "$folder/rke2-cis-sysctl.conf" ]; then
    cp -f "$folder/rke2-cis-sysctl.conf" /etc/sysctl.d/90-rke2-cis.conf
    exec sysctl -p /etc/sysctl.d/90-rke2-cis.conf
  fi
done
echo 'no kernel parameters of RKE2 found' >&2
exit 1
`;
