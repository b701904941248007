import { isVolatile } from '../ignition/files.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import type { BootFile } from '../machine-setup.ts';

/** The folder in which an instance of a warm pool keeps its join data: on a disk that survives a stop. */
export const WARM_POOL_FOLDER = '/etc/windlass';

const UNIT = 'windlass-join.service';
/** Waits until the instance is put in service, and then joins. */
export const WAIT_SCRIPT_PATH = `${WARM_POOL_FOLDER}/join-in-service.sh`;
const JOIN_SCRIPT_PATH = `${WARM_POOL_FOLDER}/join.sh`;

/** The path in the instance metadata of the state that Auto Scaling wants for the instance. */
export const TARGET_STATE = 'autoscaling/target-lifecycle-state';

const POLL_SECONDS = 5;

const owned = (path: string, permissions: string, content: string): BootFile => ({
  path,
  owner: 'root:root',
  permissions,
  content,
});

const unit = (whilePath: string): string => `[Unit]
Description=Makes this machine a node when Auto Scaling puts it in service
# Taken away by the script when the machine has joined.
ConditionPathExists=${whilePath}
Wants=network-online.target
After=network-online.target containerd.service

[Service]
ExecStart=/bin/bash ${WAIT_SCRIPT_PATH}

[Install]
WantedBy=multi-user.target
`;

/**
 * As AWS recommends for warm pools, the instance reads its target state, and only prepares itself as long as that state
 * begins with Warmed (Auto Scaling User Guide, "Retrieve the target lifecycle state through instance metadata").
 *
 * jinja renders the text with the rest of the document, so it must not contain `{{`, `{%` or `{#`.
 */
const waitScript = `#!/bin/bash
# Auto Scaling starts this machine long before the group needs it, stops it, and starts it again: it may be booting for
# the second time. While the metadata does not answer, nothing is known and the machine keeps waiting.
set -o nounset

metadata=http://169.254.169.254/latest

ask() {
  curl --silent --fail --noproxy '*' --max-time 5 "$@"
}

target_state() {
  local token
  token="$(ask --request PUT --header 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$metadata/api/token")" || return 1
  ask --header "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/${TARGET_STATE}"
}

until [ "$(target_state)" = InService ]; do
  sleep ${POLL_SECONDS}
done
exec /bin/bash ${JOIN_SCRIPT_PATH}
`;

export interface InService {
  /** A shell runs these in order once the instance is in service. If one fails, the following ones still run. */
  commands: readonly string[];
  /** The machine has joined when this file no longer exists. Until then, each boot tries again. */
  while: string;
}

/**
 * The parts with which an instance of a warm pool joins when it is put in service: files, and the command that starts
 * the wait.
 */
export const joinInService = ({ commands, while: path }: InService): { files: BootFile[]; command: string } => ({
  files: [
    owned(JOIN_SCRIPT_PATH, '0700', ['#!/bin/bash', ...commands, ''].join('\n')),
    owned(WAIT_SCRIPT_PATH, '0700', waitScript),
    owned(`/etc/systemd/system/${UNIT}`, '0644', unit(path)),
  ],
  // The command does not wait for the unit: cloud-init must end before the instance is stopped.
  command: `systemctl daemon-reload && systemctl enable --now --no-block ${UNIT}`,
});

/**
 * Refuses paths of files that are lost before the instance joins. Throws BootstrapInvalidError, which names the field.
 */
export const refuseLostFiles = (places: readonly (readonly [field: string, path: string | undefined])[]): void => {
  for (const [field, path] of places) {
    if (path === undefined || !isVolatile(path)) continue;
    const why = `${path} is lost when an instance of a warm pool is stopped; choose a path in /etc`;
    throw new BootstrapInvalidError(field, why);
  }
};
