import { BootstrapInvalidError } from '../invalid.ts';

export type KubeadmApi = 'kubeadm.k8s.io/v1beta3' | 'kubeadm.k8s.io/v1beta4';

/** The feature gate with which a control plane machine's kubelet talks to its own API server. */
export const LOCAL_MODE = 'ControlPlaneKubeletLocalMode';

const VERSION = /^v?(\d+)\.(\d+)(?:\.\d+)?(?:[-+].*)?$/;

const minorOf = (version: string): number => {
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major !== '1' || minor === undefined) {
    throw new BootstrapInvalidError('Machine spec.version', `"${version}" is not a Kubernetes version such as v1.34.0`);
  }
  return Number(minor);
};

/**
 * The API version of the machine's own kubeadm: v1beta3 up to 1.30, v1beta4 from 1.31. Pre-releases count as their
 * release (Cluster API, KubeVersionToKubeadmAPIGroupVersion). Throws BootstrapInvalidError below 1.22.
 */
export const kubeadmApi = (version: string): KubeadmApi => {
  const minor = minorOf(version);
  if (minor < 22) {
    throw new BootstrapInvalidError('Machine spec.version', `${version} is too old, kubeadm is supported from v1.22.0`);
  }
  return minor < 31 ? 'kubeadm.k8s.io/v1beta3' : 'kubeadm.k8s.io/v1beta4';
};

/** The gates that are set unless the user sets them; none if the version is not a version of Kubernetes. */
export const defaultGates = (version: string): Record<string, boolean> | undefined => {
  const [, major, minor] = VERSION.exec(version) ?? [];
  const isGated = major === '1' && Number(minor) >= 31 && Number(minor) < 36;
  return isGated ? { [LOCAL_MODE]: true } : undefined;
};

/**
 * The feature gates of ClusterConfiguration. From 1.31 to 1.35, a control plane machine's kubelet must talk to its own
 * API server (ControlPlaneKubeletLocalMode), because it could otherwise be newer than the server that it reaches
 * through the load balancer; 1.36 removes the gate. The user's settings are kept.
 */
export const featureGates = (
  version: string,
  gates: Readonly<Record<string, boolean>> | undefined,
): Record<string, boolean> | undefined => {
  const defaults = defaultGates(version);
  return defaults === undefined && gates === undefined ? undefined : { ...defaults, ...gates };
};
