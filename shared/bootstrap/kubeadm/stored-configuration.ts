import { isDeepStrictEqual } from 'node:util';
import { readYaml } from '../../decode/yaml.ts';
import { clusterConfiguration } from './cluster-configuration.ts';
import { compact, type Fields, toYaml } from './document.ts';
import type { ClusterConfiguration, Timeouts } from './spec.ts';
import { type KubeadmApi, kubeadmApi } from './version.ts';

/** The ClusterConfiguration in the ConfigMap kubeadm-config cannot be read. */
export class StoredConfigurationError extends Error {
  override readonly name = 'StoredConfigurationInvalid';
}

/** What joining machines must find. */
export interface WantedConfiguration {
  version: string;
  /** Undefined if the control plane leaves everything to kubeadm: then only the version changes. */
  configuration: ClusterConfiguration | undefined;
  timeouts: Timeouts | undefined;
}

const APIS: readonly string[] = ['kubeadm.k8s.io/v1beta3', 'kubeadm.k8s.io/v1beta4'];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueIn = (text: string): unknown => {
  try {
    return readYaml(text, { version: '1.1' });
  } catch {
    throw new StoredConfigurationError('ClusterConfiguration of kubeadm-config is not YAML');
  }
};

const read = (text: string): Fields => {
  const stored = valueIn(text);
  if (!isFields(stored)) throw new StoredConfigurationError('ClusterConfiguration of kubeadm-config is not an object');
  if (!APIS.includes(String(stored.apiVersion))) {
    throw new StoredConfigurationError(
      `ClusterConfiguration of kubeadm-config has an apiVersion that is not supported; supported are ${APIS.join(' and ')}`,
    );
  }
  return stored;
};

/** Arguments are a map in v1beta3 and a list in v1beta4. */
const convertArgs = (api: KubeadmApi, given: unknown): unknown => {
  if (api === 'kubeadm.k8s.io/v1beta4' && isFields(given)) {
    return Object.entries(given).map(([name, value]) => ({ name, value: String(value) }));
  }
  if (api === 'kubeadm.k8s.io/v1beta3' && Array.isArray(given)) {
    return Object.fromEntries(given.filter(isFields).map(({ name, value }) => [String(name), String(value)]));
  }
  return given;
};

const convertComponent = (api: KubeadmApi, given: unknown): unknown => {
  if (!isFields(given)) return given;
  const { extraEnvs, timeoutForControlPlane, ...rest } = given;
  const own = api === 'kubeadm.k8s.io/v1beta4' ? { extraEnvs } : { timeoutForControlPlane };
  return { ...rest, ...own, extraArgs: convertArgs(api, given.extraArgs) };
};

/** The document in another version of its API, without fields that the version does not have. */
const converted = (stored: Fields, api: KubeadmApi): Fields => {
  if (stored.apiVersion === api) return stored;
  const { etcd, dns, proxy, encryptionAlgorithm, certificateValidityPeriod, caCertificateValidityPeriod, ...rest } =
    stored;
  const isNewer = api === 'kubeadm.k8s.io/v1beta4';
  const { disabled, ...image } = isFields(dns) ? dns : {};
  return {
    ...rest,
    ...(isNewer ? { proxy, encryptionAlgorithm, certificateValidityPeriod, caCertificateValidityPeriod } : {}),
    apiVersion: api,
    dns: isNewer ? dns : image,
    etcd: isFields(etcd) ? { ...etcd, local: convertComponent(api, etcd.local) } : etcd,
    ...Object.fromEntries(
      ['apiServer', 'controllerManager', 'scheduler'].map((name) => [name, convertComponent(api, stored[name])]),
    ),
  };
};

/**
 * The parts of the control plane's cluster configuration that may change after its creation; upstream copies the same.
 */
const changeable = ({ version, configuration, timeouts }: WantedConfiguration, stored: Fields): Fields => {
  if (!configuration) return {};
  const facts = { name: '', endpoint: { host: '', port: 0 }, version };
  const wanted = clusterConfiguration(facts, configuration, timeouts);
  const { apiServer, controllerManager, scheduler, etcd, featureGates, encryptionAlgorithm } = wanted;
  const { certificateValidityPeriod, imageRepository } = wanted;
  return {
    ...{ apiServer, controllerManager, scheduler, etcd, featureGates, encryptionAlgorithm, certificateValidityPeriod },
    imageRepository: imageRepository ?? stored.imageRepository,
  };
};

const versionText = (version: string): string => (version.startsWith('v') ? version : `v${version}`);

/**
 * The ClusterConfiguration that the ConfigMap kubeadm-config must contain before machines with a version join, in the
 * API of that version's kubeadm; undefined if it already does. Fields that the control plane does not set are kept.
 * Throws StoredConfigurationError.
 */
export const updatedConfiguration = (text: string, wanted: WantedConfiguration): string | undefined => {
  const stored = read(text);
  const base = converted(stored, kubeadmApi(wanted.version));
  const next = compact({
    ...base,
    ...changeable(wanted, base),
    kubernetesVersion: versionText(wanted.version),
  });
  return isDeepStrictEqual(next, compact(stored)) ? undefined : toYaml(next);
};

/** The same for the image of CoreDNS, which is only changed after all machines have been updated. */
export const withDnsImage = (
  text: string,
  image: { imageRepository?: string; imageTag?: string },
): string | undefined => {
  const stored = read(text);
  const dns = isFields(stored.dns) ? stored.dns : {};
  const next = compact({
    ...stored,
    dns: { ...dns, imageRepository: image.imageRepository, imageTag: image.imageTag },
  });
  return isDeepStrictEqual(next, compact(stored)) ? undefined : toYaml(next);
};
