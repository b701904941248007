import type { KubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import { type Unsupported, warnUnsupported } from './unsupported.ts';

const UNSUPPORTED: Unsupported<KubeadmConfigSpec> = {
  format: (spec) => spec.format === 'ignition',
  ignition: (spec) => spec.ignition,
};

/** Warnings for kubeadm configuration wherever it stands; `prefix` is the path of the spec. */
export const warnKubeadmConfig = (spec: KubeadmConfigSpec | undefined, prefix: string): string[] =>
  spec ? warnUnsupported(UNSUPPORTED, spec, prefix) : [];
