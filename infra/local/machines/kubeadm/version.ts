import { KubeadmError } from './error.ts';

/** The Kubernetes version in an image's name, such as capa-ami-ubuntu-24.04-v1.34.0-1700000000, with a leading `v`. */
export const versionOfImage = (imageName: string): string | undefined => {
  const match = /(?:^|[^0-9.])v?(1\.\d+\.\d+)(?![0-9.])/.exec(imageName);
  return match ? `v${match[1]}` : undefined;
};

/** Whether an image is published by Ubuntu or Flatcar, and therefore has no kubeadm. */
export const isStockImage = (imageName: string): boolean => /^(ubuntu\/images\/|Flatcar-)/.test(imageName);

/** The group that `kubeadm init` binds to cluster-admin. */
export const ADMINS_OF_KUBEADM = 'kubeadm:cluster-admins';

const minor = (version: string): number => Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? Number.NaN);

/**
 * The group of the administrator that kubeadm creates: since 1.29 it is a separate one, which must be bound to
 * cluster-admin.
 */
export const adminGroup = (kubeadmVersion: string): string =>
  minor(kubeadmVersion) < 29 ? 'system:masters' : ADMINS_OF_KUBEADM;

/**
 * Whether `kubeadm init` only waits for the machine's own API server. Older versions wait for the endpoint, with the
 * timeout for the control plane; newer ones call the endpoint immediately afterwards, with the timeout for a call
 * (kubernetes/kubeadm#3294).
 */
export const waitsForOwnServer = (kubeadmVersion: string): boolean => {
  const [, patch = '0'] = /^v?1\.\d+\.(\d+)/.exec(kubeadmVersion) ?? [];
  const first: Readonly<Record<number, number>> = { 33: 6, 34: 2 };
  return minor(kubeadmVersion) >= 35 || Number(patch) >= (first[minor(kubeadmVersion)] ?? Number.POSITIVE_INFINITY);
};

/**
 * The version errors of kubeadm's preflight; `installed` is the version of the image's kubeadm and kubelet. Throws
 * KubeadmError. Source: kubeadm, "Version skew policy"; v1beta4 was introduced in 1.31.
 */
export const checkVersions = (
  installed: string | undefined,
  configVersion: string,
  kubernetesVersion: string,
): void => {
  if (installed === undefined) return;
  if (configVersion === 'v1beta4' && minor(installed) < 31) {
    throw new KubeadmError(
      `your configuration file uses kubeadm.k8s.io/v1beta4, which kubeadm ${installed} does not know`,
    );
  }
  const ahead = minor(kubernetesVersion) - minor(installed);
  if (ahead > 0) {
    throw new KubeadmError(
      `the Kubernetes version ${kubernetesVersion} is newer than kubeadm and kubelet ${installed} of the image`,
    );
  }
  if (ahead < -1) {
    throw new KubeadmError(
      `this version of kubeadm only supports deploying clusters with the control plane version >= 1.${minor(installed) - 1}.0. Current version: ${kubernetesVersion}`,
    );
  }
};
