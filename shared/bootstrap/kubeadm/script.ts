import { posix } from 'node:path';
import { DEFAULT_CERTIFICATES_DIR } from '../certificates/files.ts';
import { endpointFunctions, type OwnEndpoint } from './own-endpoint.ts';

/** How long a machine tries, in seconds, including kubeadm's own waits (15 minutes for discovery). */
export const KUBEADM_DEADLINE_SECONDS = 1800;

/** The phases of `kubeadm init` that need no API, in kubeadm's order, which has not changed since 1.22. */
export const LOCAL_PHASES = ['preflight', 'certs', 'kubeconfig', 'etcd', 'control-plane', 'kubelet-start'] as const;

/** Quotes a text as one word for the shell. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The folders that `kubeadm reset` empties: the certificates, and the folder with the kubeconfigs and static pods. */
const preserved = (certificatesDir: string | undefined): string[] => {
  const inside = posix.normalize(certificatesDir ?? DEFAULT_CERTIFICATES_DIR);
  return inside.startsWith('/etc/kubernetes/') ? ['/etc/kubernetes'] : ['/etc/kubernetes', inside];
};

/** The kubelet's folder. `kubeadm reset` empties it; the machine's own files in it are preserved one by one. */
const KUBELET_DIR = '/var/lib/kubelet';

/** The machine's files that are in the kubelet's folder. */
const filesOfKubelet = (files: ScriptOptions['files'] = []): string[] => [
  ...new Set(files.map(({ path }) => posix.normalize(path)).filter((path) => path.startsWith(`${KUBELET_DIR}/`))),
];

/**
 * Copies these files with the attributes of their folders. Empty if there are none, as for almost all machines, so that
 * the user data neither grow nor change between versions.
 */
const keepFiles = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : `
  local file
  for file in ${paths.map(quote).join(' ')}; do
    [ -e "$file" ] || continue
    (umask 077 && mkdir -p "$kept" && cd / && cp -a --parents "\${file#/}" "$kept/") || return 1
  done`;

export interface ScriptOptions {
  certificatesDir?: string;
  /** The files that were written before, for a joining machine. */
  files?: readonly { path: string }[];
  criSocket?: string;
  /** `initConfiguration.skipPhases`, which a flag of kubeadm replaces. */
  skipPhases?: readonly string[];
  /** Set if the endpoint's name can be mapped to this machine while it initializes. */
  ownEndpoint?: OwnEndpoint;
}

/**
 * The script that runs kubeadm until it succeeds, for at most half an hour.
 *
 * Why: all machines of a cluster are launched at once. kubeadm itself waits a long time for the API server and for etcd
 * (see kubeadm/timeouts.ts), but other faults make it fail immediately: images that cannot be pulled before the NAT
 * gateway works, or a load balancer that resets a connection while its targets change.
 *
 * `join` cleans up with `kubeadm reset` between two attempts, because an incomplete join fails its own preflight
 * checks. The reset empties /etc/kubernetes and the kubelet's folder, including the files that this machine was given,
 * so these are kept in memory and restored. Everything else in the kubelet's folder comes from the failed attempt.
 *
 * `init` never resets: once an API server was set up, other machines may have joined it, and a new start would create a
 * second cluster with the same name. It resumes at the missing phases, which kubeadm may repeat: they write the same
 * objects. While it runs, the name of the endpoint is mapped to the machine itself, because a network load balancer
 * takes minutes to serve a new target (docs/decisions/0039-first-boot.md).
 *
 * jinja renders the text with the rest of the document, so it must not contain `{{`, `{%` or `{#`.
 */
export const kubeadmScript = ({
  certificatesDir,
  files,
  criSocket,
  skipPhases,
  ownEndpoint,
}: ScriptOptions): string => {
  const folders = preserved(certificatesDir);
  const own = filesOfKubelet(files);
  return `#!/bin/bash
# Usage: kubeadm-until-done.sh kubeadm init|join [arguments]
# Runs the command until it succeeds. The machines of a cluster start together, so what one of them needs (a NAT
# gateway, the API server of the first) can come later than the machine itself.
set -o nounset

phase="$2"
deadline=${KUBEADM_DEADLINE_SECONDS}
pause=10
kept=/run/cluster-api/kept
manifests=/etc/kubernetes/manifests
skipped=${quote((skipPhases ?? []).join(','))}
${endpointFunctions(ownEndpoint)}
say() { echo "kubeadm-until-done: $*" >&2; }

keep() {
  local folder
  for folder in ${folders.map(quote).join(' ')}; do
    [ -d "$folder" ] || continue
    (umask 077 && mkdir -p "$kept$folder") && cp -a "$folder/." "$kept$folder/" || return 1
  done${keepFiles(own)}
}

put_back() {
  local folder
  for folder in ${[...folders, ...(own.length > 0 ? [KUBELET_DIR] : [])].map(quote).join(' ')}; do
    [ -d "$kept$folder" ] || continue
    mkdir -p "$folder" && cp -a "$kept$folder/." "$folder/" || return 1
  done
}

# Leaves the machine ready for another try.
start_over() {
  [ "$phase" = join ] || return 0
  kubeadm reset --force${criSocket === undefined ? '' : ` --cri-socket ${quote(criSocket)}`} ||
    say "kubeadm reset failed, trying again all the same"
  put_back
}

# The phases that an init does not repeat: those on the machine alone, once the last of them has begun to write.
finished_phases() {
  if [ -e "$manifests/kube-scheduler.yaml" ] && [ -e /var/lib/kubelet/config.yaml ]; then
    echo ${LOCAL_PHASES.join(',')}
  else
    echo preflight
  fi
}

# An API server that was set up is never created again: other machines may have joined it.
attempt() {
  if [ "$phase" = init ] && [ -e "$manifests/kube-apiserver.yaml" ]; then
    local skip
    skip="$(finished_phases)\${skipped:+,$skipped}"
    say "the API server was set up already, resuming without $skip"
    "$@" "--skip-phases=$skip"
  else
    "$@"
  fi
}

try_until_done() {
  local try=1 code
  while true; do
    attempt "$@" && return 0
    code=$?
    say "try $try failed with exit code $code, $SECONDS seconds after the first began"
    [ "$SECONDS" -lt "$deadline" ] || { say "giving up"; return "$code"; }
    start_over || return "$code"
    sleep "$pause"
    try=$((try + 1))
  done
}

keep || { say "cannot keep a copy of the machine's certificates"; exit 1; }
[ "$phase" = join ] || take_endpoint
try_until_done "$@"
code=$?
# The copies hold private keys and are of no use any more.
rm -rf "$kept"
[ "$phase" = join ] || leave_endpoint "$code"
exit "$code"
`;
};
