import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { NodePatch } from '../../workload/client.ts';
import { ANNOTATION } from '../labels.ts';

/** Keeps pods off a worker until its labels are there; kubeadm joins with it, we take it away. */
export const UNINITIALIZED_TAINT = 'node.cluster.x-k8s.io/uninitialized';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const MANAGED_DOMAINS = ['node-restriction.kubernetes.io', 'node.cluster.x-k8s.io'];

/** Labels that go from a Machine to its Node: upstream's prefixes and domains. */
const isSynced = (key: string): boolean => {
  const domain = key.split('/')[0] ?? '';
  return (
    key.startsWith(ROLE_PREFIX) ||
    MANAGED_DOMAINS.some((managed) => domain === managed || domain.endsWith(`.${managed}`))
  );
};

const ownerOf = ({ metadata }: Machine) => metadata.ownerReferences?.find((owner) => owner.controller);

const annotationsOf = (machine: Machine, labels: readonly string[]): Record<string, string> => {
  const owner = ownerOf(machine);
  return {
    [ANNOTATION.nodeClusterName]: machine.spec.clusterName,
    [ANNOTATION.nodeClusterNamespace]: machine.metadata.namespace ?? '',
    [ANNOTATION.nodeMachine]: machine.metadata.name,
    ...(owner ? { [ANNOTATION.nodeOwnerKind]: owner.kind, [ANNOTATION.nodeOwnerName]: owner.name } : {}),
    [ANNOTATION.nodeLabelsFromMachine]: labels.join(','),
  };
};

const differs = (wanted: Readonly<Record<string, string | null>>, present: Readonly<Record<string, string>> = {}) =>
  Object.entries(wanted).some(([key, value]) => (value === null ? key in present : present[key] !== value));

/**
 * What to change on a node so that it carries its machine's labels and annotations and is free of the uninitialized
 * taint; undefined when nothing is to be changed. Labels that came from the machine and left it leave the node too.
 */
export const nodePatch = (machine: Machine, node: V1Node): NodePatch | undefined => {
  const wanted = Object.fromEntries(Object.entries(machine.metadata.labels ?? {}).filter(([key]) => isSynced(key)));
  const before = (node.metadata?.annotations?.[ANNOTATION.nodeLabelsFromMachine] ?? '').split(',').filter(Boolean);
  const dropped = Object.fromEntries(before.filter((key) => !(key in wanted)).map((key) => [key, null]));
  const labels: Record<string, string | null> = { ...dropped, ...wanted };
  const annotations = annotationsOf(machine, Object.keys(wanted).sort());
  const taints = node.spec?.taints ?? [];
  const kept = taints.filter(({ key }) => key !== UNINITIALIZED_TAINT);
  const same =
    !differs(labels, node.metadata?.labels) &&
    !differs(annotations, node.metadata?.annotations) &&
    kept.length === taints.length;
  if (same) return undefined;
  // Taints are replaced as a whole, so nobody else's may have come in the meantime.
  const { resourceVersion } = node.metadata ?? {};
  return { labels, annotations, ...(kept.length === taints.length ? {} : { taints: kept, resourceVersion }) };
};
