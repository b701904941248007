import type { IgnitionVersion } from '../ignition/config.ts';
import { isVolatile } from '../ignition/files.ts';
import { ignitionConfig } from '../ignition/render.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import { givenPaths } from './given-paths.ts';
import type { BootstrapInput } from './input.ts';
import { IGNITION_CONFIG_PATH, IGNITION_PLACES } from './places.ts';
import { kubeadmSetup } from './setup.ts';
import type { KubeadmConfigSpec } from './spec.ts';

const SERVICE = {
  name: 'kubeadm',
  description: 'Makes this machine a node with kubeadm',
  while: IGNITION_CONFIG_PATH,
};

/** Refuses files that the machine would never see, because Ignition writes them before the system starts. */
const refuseVolatile = (spec: KubeadmConfigSpec): void => {
  for (const [field, path] of givenPaths(spec)) {
    if (path === undefined || !isVolatile(path)) continue;
    throw new BootstrapInvalidError(
      field,
      `${path} is empty when a machine starts after Ignition; choose a path in /etc`,
    );
  }
};

/** The bootstrap data of a machine that Ignition sets up. Throws BootstrapInvalidError for what it does not support. */
export const kubeadmIgnition = (
  input: BootstrapInput,
  version: IgnitionVersion | undefined,
): { body: string; warnings: string[] } => {
  const { spec } = input;
  refuseVolatile(spec);
  return ignitionConfig(kubeadmSetup(input, IGNITION_PLACES), { service: SERVICE, version, additions: spec.ignition });
};
