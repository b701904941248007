import { transpileButane } from '../ignition/butane/transpile.ts';
import type { IgnitionVersion } from '../ignition/config.ts';
import { isVolatile } from '../ignition/files.ts';
import { ignitionConfig } from '../ignition/render.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import { SENTINEL_PATH } from '../machine-setup.ts';
import type { Rke2Input } from './input.ts';
import { RKE2_IGNITION_SCRIPT_PATH } from './paths.ts';
import { type Rke2Places, rke2Setup } from './setup.ts';

/** As in upstream: the unit, its script, and the file that exists once the machine has become a node. */
const DONE_PATH = '/etc/cluster-api/bootstrap-success.complete';
const SERVICE = {
  name: 'rke2-install',
  description: 'Makes this machine a node with RKE2',
  until: DONE_PATH,
};

/**
 * Ignition writes the disk before the machine starts, when /run is not on the disk. The commands end at the first
 * failure, and are run at each boot until the machine is a node.
 */
const PLACES: Rke2Places = {
  script: RKE2_IGNITION_SCRIPT_PATH,
  run: (script) => [
    script,
    'mkdir -p /run/cluster-api /etc/cluster-api',
    `echo success > ${SENTINEL_PATH}`,
    `echo success > ${DONE_PATH}`,
  ],
};

const CONFIG_FIELD = 'spec.agentConfig.additionalUserData.config';

const refuse = ({ files }: Rke2Input): void => {
  const lost = files.findIndex(({ path }) => isVolatile(path));
  if (lost < 0) return;
  const why = `${files[lost]?.path} is empty when a machine starts after Ignition; choose a path in /etc`;
  throw new BootstrapInvalidError(`spec.files[${lost}].path`, why);
};

/**
 * The bootstrap data of an RKE2 machine that Ignition sets up. As in upstream, `additionalUserData.config` is a Butane
 * config. Throws BootstrapInvalidError for what it does not support.
 */
export const rke2Ignition = (input: Rke2Input, version: IgnitionVersion | undefined): string => {
  const { config, data } = input.spec.agentConfig?.additionalUserData ?? {};
  if (data && Object.keys(data).length > 0)
    throw new BootstrapInvalidError(
      'spec.agentConfig.additionalUserData.data',
      'has modules of cloud-init; with the format ignition, write a Butane config in additionalUserData.config',
    );
  refuse(input);
  const additions = config ? transpileButane(config, CONFIG_FIELD) : undefined;
  return ignitionConfig(rke2Setup(input, PLACES), { service: SERVICE, version, config: additions }).body;
};
