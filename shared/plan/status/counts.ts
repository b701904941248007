import type { Machine } from '../../kinds/index.ts';
import { isTrue } from './conditions.ts';

/** The replica counters that every owner of machines reports; derived only from conditions of the machines. */
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

/** `status.versions`: how many machines run each version, sorted by version; absent, not empty, without machines. */
export const countVersions = (machines: readonly Machine[]): { versions?: { version: string; replicas: number }[] } => {
  const counts = new Map<string, number>();
  for (const { spec } of machines) {
    if (spec.version) counts.set(spec.version, (counts.get(spec.version) ?? 0) + 1);
  }
  if (counts.size === 0) return {};
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return { versions: sorted.map(([version, replicas]) => ({ version, replicas })) };
};

/** A label selector as the text that `status.selector` and `/scale` carry. */
export const selectorText = (matchLabels: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
