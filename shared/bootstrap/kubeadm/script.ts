import { posix } from 'node:path';
import { DEFAULT_CERTIFICATES_DIR } from '../certificates/files.ts';

/** How long a machine tries, in seconds; kubeadm's own waits (discovery 15 minutes) count. */
export const KUBEADM_DEADLINE_SECONDS = 1800;

/** One word for the shell. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What `kubeadm reset` empties: the certificates, and the folder that the kubeconfigs and static pods live in. */
const preserved = (certificatesDir: string | undefined): string[] => {
  const inside = posix.normalize(certificatesDir ?? DEFAULT_CERTIFICATES_DIR);
  return inside.startsWith('/etc/kubernetes/') ? ['/etc/kubernetes'] : ['/etc/kubernetes', inside];
};

/**
 * The script that runs kubeadm until it succeeds, for at most half an hour.
 *
 * Why: the machines of a cluster are launched all at once. kubeadm itself waits long for the API server and for etcd
 * (see kubeadm/timeouts.ts), but it fails at once on what it takes for granted: images that cannot be pulled while the
 * NAT gateway is coming, a load balancer that resets a connection while its targets change.
 *
 * `join` cleans up with `kubeadm reset` between two tries, because a half-done join fails its own preflight checks.
 * reset empties /etc/kubernetes, also of what was put there for this machine, so this is kept in memory and put back.
 *
 * `init` is repeated only as long as no API server was set up: after that other machines may have joined already, and
 * starting over would make a second cluster under the same name. Such a machine is left to be replaced.
 *
 * The text is rendered by jinja with the rest of the document: no `{{`, `{%` or `{#` may stand in it.
 */
export const kubeadmScript = (options: { certificatesDir?: string; criSocket?: string }): string => `#!/bin/bash
# Usage: kubeadm-until-done.sh kubeadm init|join [arguments]
# Runs the command until it succeeds. The machines of a cluster start together, so what one of them needs (a NAT
# gateway, the API server of the first) can come later than the machine itself.
set -o nounset

phase="$2"
deadline=${KUBEADM_DEADLINE_SECONDS}
pause=10
kept=/run/cluster-api/kept
apiserver_manifest=/etc/kubernetes/manifests/kube-apiserver.yaml

say() { echo "kubeadm-until-done: $*" >&2; }

keep() {
  local folder
  for folder in ${preserved(options.certificatesDir).map(quote).join(' ')}; do
    [ -d "$folder" ] || continue
    (umask 077 && mkdir -p "$kept$folder") && cp -a "$folder/." "$kept$folder/" || return 1
  done
}

put_back() {
  local folder
  for folder in ${preserved(options.certificatesDir).map(quote).join(' ')}; do
    [ -d "$kept$folder" ] || continue
    mkdir -p "$folder" && cp -a "$kept$folder/." "$folder/" || return 1
  done
}

# Leaves the machine ready for another try, or fails when there must be none.
start_over() {
  if [ "$phase" = init ]; then
    if [ -e "$apiserver_manifest" ]; then
      say "the API server was set up already: not trying again, this machine has to be replaced"
      return 1
    fi
    return 0
  fi
  kubeadm reset --force${options.criSocket === undefined ? '' : ` --cri-socket ${quote(options.criSocket)}`} ||
    say "kubeadm reset failed, trying again all the same"
  put_back
}

try_until_done() {
  local try=1 code
  while true; do
    "$@" && return 0
    code=$?
    say "try $try failed with exit code $code, $SECONDS seconds after the first began"
    [ "$SECONDS" -lt "$deadline" ] || { say "giving up"; return "$code"; }
    start_over || return "$code"
    sleep "$pause"
    try=$((try + 1))
  done
}

keep || { say "cannot keep a copy of the machine's certificates"; exit 1; }
try_until_done "$@"
code=$?
# The copies hold private keys and are of no use any more.
rm -rf "$kept"
exit "$code"
`;
