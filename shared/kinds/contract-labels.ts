import type { LabelsOf } from '../kube-api/served-definitions.ts';

/**
 * The provider of a group of kinds, and the contracts of Cluster API that it fulfils. As in upstream, the kinds of the
 * AWS provider have the version v1beta2 and the contract v1beta1: their status contains `ready`, not `initialization`.
 */
const PROVIDERS: Readonly<Record<string, { provider: string; contracts: readonly string[] }>> = {
  'bootstrap.cluster.x-k8s.io': { provider: 'bootstrap-kubeadm', contracts: ['v1beta1', 'v1beta2'] },
  'controlplane.cluster.x-k8s.io': { provider: 'control-plane-kubeadm', contracts: ['v1beta1', 'v1beta2'] },
  'infrastructure.cluster.x-k8s.io': { provider: 'infrastructure-aws', contracts: ['v1beta1'] },
  'infrastructure.windlass.dev': { provider: 'infrastructure-windlass-hosts', contracts: ['v1beta1'] },
};
/** The kinds of the RKE2 provider are in the same groups. */
const RKE2_PROVIDERS: Readonly<Record<string, string>> = {
  'bootstrap.cluster.x-k8s.io': 'bootstrap-rke2',
  'controlplane.cluster.x-k8s.io': 'control-plane-rke2',
};
const CORE = { provider: 'cluster-api', contracts: ['v1beta1', 'v1beta2'] };

/** The group of clusterctl's own kinds, which it neither moves nor counts as a provider's. */
const INVENTORY = 'clusterctl.cluster.x-k8s.io';

const isClusterApi = (group: string): boolean =>
  group === 'cluster.x-k8s.io' || group.endsWith('.cluster.x-k8s.io') || Object.hasOwn(PROVIDERS, group);

/**
 * The labels of a CustomResourceDefinition that Cluster API's tools read: the provider, and for each contract the
 * versions that fulfil it, joined by `_`. If a provider's versions are named after the contracts, each version fulfils
 * the contract with its name.
 */
export const contractLabels: LabelsOf = ({ group, kind }, versions): Record<string, string> => {
  if (!isClusterApi(group)) return {};
  if (group === INVENTORY) return { [`${INVENTORY}/core`]: 'inventory' };
  const { provider, contracts } = PROVIDERS[group] ?? CORE;
  const rke2 = kind.startsWith('RKE2') ? RKE2_PROVIDERS[group] : undefined;
  const byContract = contracts.flatMap((contract): [string, string][] => {
    const fulfilling = contracts.length > 1 ? versions.filter((version) => version === contract) : [...versions].sort();
    return fulfilling.length > 0 ? [[`cluster.x-k8s.io/${contract}`, fulfilling.join('_')]] : [];
  });
  return {
    'cluster.x-k8s.io/provider': rke2 ?? provider,
    [INVENTORY]: '',
    ...Object.fromEntries(byContract),
  };
};
