import type { Node, NodeTaint, Pod } from '../objects.ts';

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

const UNSCHEDULABLE: NodeTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** The tolerations of every pod of a DaemonSet (pkg/controller/daemon/util). */
export const DAEMON_TOLERATIONS: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoSchedule',
  })),
];

const isTolerated = (taint: NodeTaint, { key, operator = 'Equal', value = '', effect }: Toleration): boolean => {
  if (effect && effect !== taint.effect) return false;
  if (!key) return operator === 'Exists';
  return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''));
};

const taintsOf = ({ spec }: Node): NodeTaint[] => [
  ...(spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
  ...(spec?.unschedulable ? [UNSCHEDULABLE] : []),
];

type PodSpec = NonNullable<Pod['spec']>;

/**
 * Whether a pod may run on a node: its node selector matches, and it tolerates the node's taints. Affinities are
 * ignored.
 */
export const fits = (spec: PodSpec | undefined, node: Node, extra: readonly Toleration[] = []): boolean => {
  const { nodeSelector = {}, tolerations = [] } = (spec ?? {}) as {
    nodeSelector?: Record<string, string>;
    tolerations?: Toleration[];
  };
  const labels = node.metadata.labels ?? {};
  const all = [...tolerations, ...extra];
  return (
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    taintsOf(node).every((taint) => all.some((one) => isTolerated(taint, one)))
  );
};
