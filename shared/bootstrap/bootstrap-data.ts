import { cloudConfig } from './cloud-init/cloud-config.ts';
import type { IgnitionVersion } from './ignition/config.ts';
import { BootstrapInvalidError } from './invalid.ts';
import { givenPaths } from './kubeadm/given-paths.ts';
import { kubeadmIgnition } from './kubeadm/ignition.ts';
import type { BootstrapInput } from './kubeadm/input.ts';
import { CLOUD_INIT_PLACES, WARM_PLACES } from './kubeadm/places.ts';
import { kubeadmSetup } from './kubeadm/setup.ts';
import { refuseLostFiles } from './warm-pool/in-service.ts';

/** The content of a machine's bootstrap Secret under `value` and `format`. */
export interface BootstrapData {
  body: string;
  format: 'cloud-config' | 'ignition';
  /** Invalid parts of the spec that were skipped; contains no secrets. */
  warnings?: readonly string[];
}

/** How the machine reads its bootstrap data. */
export interface BootstrapReader {
  /** `spec.ignition.version` of the AWSMachine; used if the format is Ignition. */
  ignitionVersion?: IgnitionVersion;
}

/**
 * The bootstrap data of one machine: everything that it needs to become a node, as one cloud-init or Ignition document.
 * Pure: the same input gives the same text. It contains secrets, so keep it out of logs and payloads. Throws
 * BootstrapInvalidError, which names the field, for what cannot be rendered.
 */
export const renderBootstrapData = (input: BootstrapInput, reader: BootstrapReader = {}): BootstrapData => {
  const isWarm = input.role === 'worker' && input.joinsInService === true;
  if (input.spec.format === 'ignition') {
    if (isWarm) throw new BootstrapInvalidError('spec.format', 'ignition is not supported for a pool with a warm pool');
    return { ...kubeadmIgnition(input, reader.ignitionVersion), format: 'ignition' };
  }
  if (isWarm) refuseLostFiles(givenPaths(input.spec));
  const places = isWarm ? WARM_PLACES : CLOUD_INIT_PLACES;
  return { body: cloudConfig(kubeadmSetup(input, places)), format: 'cloud-config' };
};
