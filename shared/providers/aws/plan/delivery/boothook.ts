/** Where an image's cloud-init finds the fetched document by the include part of the user data. */
export const INCLUDED_PATH = '/etc/secret-userdata.txt';
/** Where cloud-init 22.4 and later reads it as configuration. */
export const CONFIGURATION_PATH = '/etc/cloud/cloud.cfg.d/99_secret-userdata.cfg';

type Store = 'secrets-manager' | 'ssm-parameter-store';

/** The calls of the AWS CLI by which a store is read and emptied; what is read is base64 in both. */
const CALLS: Readonly<Record<Store, { service: string; read: string; remove: string }>> = {
  'secrets-manager': {
    service: 'secretsmanager',
    read: 'get-secret-value --secret-id "$SECRET_PREFIX-$1" --query SecretBinary',
    remove: 'delete-secret --secret-id "$SECRET_PREFIX-$1" --force-delete-without-recovery',
  },
  'ssm-parameter-store': {
    service: 'ssm',
    read: 'get-parameter --name "$SECRET_PREFIX/$1" --with-decryption --query Parameter.Value',
    remove: 'delete-parameter --name "$SECRET_PREFIX/$1"',
  },
};

export interface BoothookInput {
  store: Store;
  region: string;
  secretPrefix: string;
  chunks: number;
}

/**
 * A cloud-boothook that fetches the bootstrap data from Secrets Manager or from the Parameter Store. It runs as root, early in each boot, and does
 * nothing when the data are there already.
 *
 * Patience: the machine is launched while the NAT gateway is still coming, so the first chunk is asked for again for up
 * to 20 minutes. Credentials come from the instance profile by IMDSv2 only.
 *
 * Order: all chunks are fetched and the whole is unpacked before the first is deleted, so that a machine that dies in
 * between can try again. A chunk that cannot be deleted is no reason to stay out of the cluster: it is said on the
 * console, and the control plane deletes what is left when the node has joined.
 *
 * How cloud-init gets to see the document: from 22.4 on it reads jinja templates in /etc/cloud/cloud.cfg.d, and re-reads
 * that folder in the same run, after the boothooks. Older ones are restarted and then find the document by the include
 * part, as Cluster API's AWS provider does it; newer ones do not run again when they are restarted
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
export AWS_EC2_METADATA_V1_DISABLED=true AWS_PAGER=""

say() { echo "bootstrap-data: $*" >&2; }
fail() { say "$*"; exit 1; }

secrets() {
  aws ${CALLS[input.store].service} --region "$REGION" --cli-connect-timeout 5 --cli-read-timeout 20 "$@"
}

# The CLI's error goes to the console, the value only to standard output.
fetch() {
  secrets ${CALLS[input.store].read} --output text
}

fetch_patiently() {
  local value
  while true; do
    value="$(fetch "$1")" && [ -n "$value" ] && [ "$value" != None ] && break
    [ "$SECONDS" -lt 1200 ] || return 1
    say "cannot read chunk $1 yet, trying again"
    sleep 5
  done
  base64 -d <<<"$value"
}

delete_chunk() {
  local try
  for try in 1 2 3; do
    secrets ${CALLS[input.store].remove} >/dev/null && return 0
    sleep 2
  done
  say "cannot delete chunk $1 (try $try), leaving it to the control plane"
}

# From 22.4 on cloud-init renders its configuration folder with jinja, which the document needs.
reads_configuration() {
  local version
  version="$(cloud-init --version 2>&1 | grep -oE '[0-9]+\\.[0-9]+' | head -n 1)"
  [ "$(printf '%s\\n' 22.4 "$version" | sort -V | head -n 1)" = 22.4 ]
}

if [ -e "$INCLUDED" ] || [ -e "$CONFIGURATION" ]; then
  say "the bootstrap data are here already"
  exit 0
fi
command -v aws >/dev/null || fail "the image has no AWS CLI; it is needed to fetch the bootstrap data"

work="$(mktemp -d)" || fail "cannot make a temporary folder"
trap 'rm -rf "$work"' EXIT
for chunk in $(seq 0 $((CHUNKS - 1))); do
  fetch_patiently "$chunk" >>"$work/data.gz" || fail "cannot read chunk $chunk of $SECRET_PREFIX"
done
gunzip -c "$work/data.gz" >"$work/data" || fail "the bootstrap data are damaged"

if reads_configuration; then
  target="$CONFIGURATION"
else
  target="$INCLUDED"
fi
mkdir -p "$(dirname "$target")"
install -m 0600 "$work/data" "$target" || fail "cannot write $target"
for chunk in $(seq 0 $((CHUNKS - 1))); do delete_chunk "$chunk"; done

if [ "$target" = "$INCLUDED" ]; then
  say "restarting cloud-init, which then includes $INCLUDED"
  rm -rf "$work"
  systemctl restart cloud-init
fi
`;
