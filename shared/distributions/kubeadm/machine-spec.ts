import { defaultGates } from '../../bootstrap/kubeadm/version.ts';
import type { KubeadmConfigSpec } from '../../kinds/index.ts';

const withGates = (spec: KubeadmConfigSpec, version: string): KubeadmConfigSpec => {
  const { clusterConfiguration } = spec;
  const defaults = defaultGates(version);
  if (!defaults) return spec;
  const featureGates = { ...defaults, ...clusterConfiguration?.featureGates };
  return { ...spec, clusterConfiguration: { ...clusterConfiguration, featureGates } };
};

/**
 * The configuration of a control plane machine in the form that Cluster API writes for a joining machine:
 * `joinConfiguration.controlPlane` distinguishes it from the first machine's. Settings that only apply to the first
 * machine are not copied from the control plane. If Cluster API takes over such a machine, it finds the configuration
 * that it would have created itself.
 */
export const joinSpec = (spec: KubeadmConfigSpec, version: string): KubeadmConfigSpec => {
  const { initConfiguration: _init, joinConfiguration, ...rest } = spec;
  const controlPlane = joinConfiguration?.controlPlane ?? {};
  return withGates({ ...rest, joinConfiguration: { ...joinConfiguration, controlPlane } }, version);
};

/** The same for the first machine, as Cluster API writes it. */
export const initSpec = (spec: KubeadmConfigSpec, version: string): KubeadmConfigSpec => {
  const { joinConfiguration: _join, ...rest } = spec;
  return withGates(rest, version);
};
