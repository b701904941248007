import { cloudConfig } from './cloud-init/cloud-config.ts';
import { BootstrapInvalidError } from './invalid.ts';
import type { BootstrapInput } from './kubeadm/input.ts';
import { kubeadmSetup } from './kubeadm/setup.ts';

/** What the bootstrap Secret of a machine holds under `value` and `format`. */
export interface BootstrapData {
  body: string;
  format: 'cloud-config';
}

/**
 * The bootstrap data of one machine: everything that it needs to become a node, as one cloud-config document. Pure: the
 * same input gives the same text. It contains secrets; keep it out of logs and payloads.
 * Throws BootstrapInvalidError, which names the field, for what cannot be rendered.
 */
export const renderBootstrapData = (input: BootstrapInput): BootstrapData => {
  if (input.spec.format === 'ignition') {
    throw new BootstrapInvalidError('spec.format', 'ignition is not supported yet; use cloud-config');
  }
  return { body: cloudConfig(kubeadmSetup(input)), format: 'cloud-config' };
};
