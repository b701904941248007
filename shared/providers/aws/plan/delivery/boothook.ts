import type { DataKind } from './handover.ts';
import { type Store, storeFunctions } from './store-calls.ts';

/** The path at which an image's cloud-init finds the fetched document, through the include part of the user data. */
export const INCLUDED_PATH = '/etc/secret-userdata.txt';
/** The path at which cloud-init 22.4 and later reads the document as configuration. */
export const CONFIGURATION_PATH = '/etc/cloud/cloud.cfg.d/99_secret-userdata.cfg';

/** The path at which cloud-init puts the scripts of user data, which it runs at the end of the first boot. */
export const SCRIPT_PATH = '/var/lib/cloud/instance/scripts/secret-userdata';

export interface BoothookInput {
  store: Store;
  region: string;
  secretPrefix: string;
  chunks: number;
  kind: DataKind;
  /** Whether the user data also contain the part that includes the fetched document. */
  hasInclude: boolean;
}

/** The same conversion that cloud-init makes for the scripts of user data. */
const UNIX_LINES = `! head -n 1 "$target" | grep -q $'\\r$' || sed -i $'s/\\r$//' "$target"\n`;

/** The part that older versions need, and data of other kinds. */
const include = (input: BoothookInput, why: string): string =>
  input.hasInclude ? 'target="$INCLUDED"' : `fail "${why}"`;

/** The path for the data, by their kind and the version of cloud-init. Data are refused before anything is fetched. */
const targetOf = (input: BoothookInput): string => {
  if (input.kind === 'script') return 'target="$SCRIPT"';
  if (input.kind === 'configuration')
    return `if cloud_init_is 22.4; then
  target="$CONFIGURATION"
else
  ${include(input, 'cloud-init $version is too old for windlass.dev/install-kubernetes, which needs 22.4')}
fi`;
  return `cloud_init_is 24.2 && fail "spec.bootstrap.dataSecretName of the Machine: cloud-init $version reads only \
cloud-config and shell scripts from a secret; convert the data, or set spec.cloudInit.insecureSkipSecretsManager"
${include(input, 'spec.bootstrap.dataSecretName of the Machine: only cloud-config and shell scripts are supported')}`;
};

/**
 * A cloud-boothook that fetches the bootstrap data from Secrets Manager or from the Parameter Store. It runs as root,
 * early in each boot, and does nothing if the data have been fetched already.
 *
 * Waiting: the machine is launched while the NAT gateway is still being created, so requests for the first chunk are
 * repeated for up to 20 minutes. Credentials only come from the instance profile, through IMDSv2.
 *
 * Order: all chunks are fetched and decompressed before the first is deleted, so that a machine that stops in between
 * can try again. If a chunk cannot be deleted, the machine joins the cluster nevertheless: the failure is written to
 * the console, and the control plane deletes what is left when the node has joined.
 *
 * How cloud-init finds the document: from 22.4 on it reads jinja templates in /etc/cloud/cloud.cfg.d, and reads that
 * folder again in the same run, after the boothooks. A script is put where cloud-init puts scripts. All other data, and
 * older versions, require a restart of cloud-init, which then finds the document through the include part, as with
 * Cluster API's AWS provider. From 24.2 on it does not run again when it is restarted
 * (kubernetes-sigs/cluster-api-provider-aws#5115).
 */
export const boothook = (input: BoothookInput): string => `#cloud-boothook
#!/bin/bash
# Fetches this machine's bootstrap data from AWS and hands it to cloud-init.
set -o nounset -o pipefail
umask 077

REGION="${input.region}"
SECRET_PREFIX="${input.secretPrefix}"
CHUNKS="${input.chunks}"
INCLUDED="${INCLUDED_PATH}"
CONFIGURATION="${CONFIGURATION_PATH}"
SCRIPT="${SCRIPT_PATH}"
export AWS_EC2_METADATA_V1_DISABLED=true AWS_PAGER=""

say() { echo "bootstrap-data: $*" >&2; }
fail() { say "$*"; exit 1; }

for file in "$INCLUDED" "$CONFIGURATION" "$SCRIPT"; do
  [ -e "$file" ] || continue
  say "the bootstrap data are here already"
  exit 0
done

${storeFunctions(input.store)}

fetch_patiently() {
  local value
  while true; do
    value="$(read_chunk "$1")" && [ -n "$value" ] && [ "$value" != None ] && break
    [ "$SECONDS" -lt 1200 ] || return 1
    say "cannot read chunk $1 yet, trying again"
    sleep 5
  done
  base64 -d <<<"$value"
}

delete_chunk() {
  local try
  for try in 1 2 3; do
    remove_chunk "$1" && return 0
    sleep 2
  done
  say "cannot delete chunk $1 (try $try), leaving it to the control plane"
}

cloud_init_is() {
  [ "$(printf '%s\\n' "$1" "$version" | sort -V | head -n 1)" = "$1" ]
}

version="$(cloud-init --version 2>&1 | grep -oE '[0-9]+\\.[0-9]+' | head -n 1)"
${targetOf(input)}

work="$(mktemp -d)" || fail "cannot make a temporary folder"
trap 'rm -rf "$work"' EXIT
for chunk in $(seq 0 $((CHUNKS - 1))); do
  fetch_patiently "$chunk" >>"$work/data.gz" || fail "cannot read chunk $chunk of $SECRET_PREFIX"
done
gunzip -c "$work/data.gz" >"$work/data" || fail "the bootstrap data are damaged"

mkdir -p "$(dirname "$target")"
install -m ${input.kind === 'script' ? '0700' : '0600'} "$work/data" "$target" || fail "cannot write $target"
${input.kind === 'script' ? UNIX_LINES : ''}for chunk in $(seq 0 $((CHUNKS - 1))); do delete_chunk "$chunk"; done

if [ "$target" = "$INCLUDED" ]; then
  say "restarting cloud-init, which then includes $INCLUDED"
  rm -rf "$work"
  systemctl restart cloud-init
fi
`;
