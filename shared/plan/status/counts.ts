import type { Machine } from '../../kinds/index.ts';
import { findCondition, isTrue } from './conditions.ts';

/** The replica counters of all owners of machines; derived only from conditions of the machines. */
export interface ReplicaCounts {
  replicas: number;
  readyReplicas: number;
  availableReplicas: number;
  upToDateReplicas: number;
}

/** Counts machines by their Ready, Available and UpToDate conditions. */
export const countReplicas = (machines: readonly Machine[]): ReplicaCounts => {
  const having = (type: string) => machines.filter((machine) => isTrue(machine.status?.conditions, type)).length;
  return {
    replicas: machines.length,
    readyReplicas: having('Ready'),
    availableReplicas: having('Available'),
    upToDateReplicas: having('UpToDate'),
  };
};

/** The reason of UpToDate while only the node of a machine differs: no rollout replaces the machine. */
export const UPDATING = 'Updating';

/** The number of machines that match their owner's spec, but whose nodes report another version of the kubelet. */
export const countUpdating = (machines: readonly Machine[]): number =>
  machines.filter(({ status }) => findCondition(status?.conditions, 'UpToDate')?.reason === UPDATING).length;

/** The sum of the counters of several owners. */
export const sumCounts = (all: readonly Partial<ReplicaCounts>[]): ReplicaCounts => {
  const sum = (key: keyof ReplicaCounts) => all.reduce((total, counts) => total + (counts[key] ?? 0), 0);
  return {
    replicas: sum('replicas'),
    readyReplicas: sum('readyReplicas'),
    availableReplicas: sum('availableReplicas'),
    upToDateReplicas: sum('upToDateReplicas'),
  };
};

/** The version of the kubelet on a machine, or the version in its spec until its node reports one. */
const runningVersion = ({ spec, status }: Machine): string | undefined =>
  status?.nodeInfo?.kubeletVersion || spec.version;

/**
 * `status.versions`: the number of machines with each version, sorted by version. Absent, not empty, if there are no
 * machines.
 */
export const countVersions = (
  machines: readonly Machine[],
  versionOf: (machine: Machine) => string | undefined = runningVersion,
): { versions?: { version: string; replicas: number }[] } => {
  const counts = new Map<string, number>();
  for (const version of machines.map(versionOf)) {
    if (version) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  if (counts.size === 0) return {};
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return { versions: sorted.map(([version, replicas]) => ({ version, replicas })) };
};
