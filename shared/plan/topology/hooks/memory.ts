import { tryJson } from '../../../decode/json.ts';
import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { isObject } from '../../../kube-api/json.ts';

/**
 * Upstream's annotations: the hooks that must be called after a change is complete, and whether a cluster may be
 * deleted.
 */
export const PENDING_HOOKS = 'runtime.cluster.x-k8s.io/pending-hooks';
export const OK_TO_DELETE = 'runtime.cluster.x-k8s.io/ok-to-delete';

/** Hooks that block, each with the time before which it is not called again; upstream caches them in memory. */
const BLOCKED_HOOKS = 'windlass.dev/blocked-hooks';

/** The annotations of a Cluster that record its hooks. Only controllers write them. */
const HOOK_ANNOTATIONS = [PENDING_HOOKS, OK_TO_DELETE, BLOCKED_HOOKS] as const;

export interface Blocked {
  message: string;
  until: Date;
}

/** The recorded hooks of a cluster. */
export interface HookMemory {
  pending: ReadonlySet<string>;
  okToDelete: boolean;
  blocked: ReadonlyMap<string, Blocked>;
}

const blockedIn = (text: string | undefined): Map<string, Blocked> => {
  const found = text === undefined ? undefined : tryJson(text);
  const entries = isObject(found) ? Object.entries(found) : [];
  return new Map(
    entries.flatMap(([hook, entry]): [string, Blocked][] => {
      if (!isObject(entry)) return [];
      const until = new Date(String(entry.until));
      return Number.isNaN(until.getTime()) ? [] : [[hook, { message: String(entry.message ?? ''), until }]];
    }),
  );
};

export const hookMemoryOf = ({ metadata }: Cluster): HookMemory => {
  const annotations = metadata.annotations ?? {};
  return {
    pending: new Set((annotations[PENDING_HOOKS] ?? '').split(',').filter((hook) => hook !== '')),
    okToDelete: OK_TO_DELETE in annotations,
    blocked: blockedIn(annotations[BLOCKED_HOOKS]),
  };
};

const textsOf = ({ pending, okToDelete, blocked }: HookMemory): Record<string, string> => {
  const entries = [...blocked].map(([hook, { message, until }]) => [hook, { until: until.toISOString(), message }]);
  return {
    ...(pending.size > 0 ? { [PENDING_HOOKS]: [...pending].sort().join(',') } : {}),
    ...(okToDelete ? { [OK_TO_DELETE]: '' } : {}),
    ...(blocked.size > 0 ? { [BLOCKED_HOOKS]: JSON.stringify(Object.fromEntries(entries)) } : {}),
  };
};

/** The Cluster with this record; the same object if it has it already. */
export const withHookMemory = (cluster: Cluster, memory: HookMemory): Cluster => {
  const { annotations: before = {}, ...metadata } = cluster.metadata;
  const others = Object.entries(before).filter(([key]) => !(HOOK_ANNOTATIONS as readonly string[]).includes(key));
  const annotations: Record<string, string> = { ...Object.fromEntries(others), ...textsOf(memory) };
  const isSame = HOOK_ANNOTATIONS.every((key) => before[key] === annotations[key]);
  if (isSame) return cluster;
  return {
    ...cluster,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
  };
};

/** The seconds until the first hook that blocks a cluster is called again; undefined if none blocks. */
export const secondsToNextHook = (cluster: Cluster, now: Date): number | undefined => {
  const times = [...hookMemoryOf(cluster).blocked.values()].map(({ until }) => until.getTime());
  return times.length > 0 ? Math.max(1, Math.ceil((Math.min(...times) - now.getTime()) / 1000)) : undefined;
};
