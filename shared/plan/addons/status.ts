import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from '../../kinds/index.ts';
import { ANNOTATION } from '../labels.ts';
import { type ConditionClaim, withConditions } from '../status/conditions.ts';
import { type LegacyClaim, withLegacyCondition } from '../status/legacy-conditions.ts';
import { faultsOf, recordsOf } from './binding.ts';
import { type FaultReason, WORST } from './faults.ts';
import { isComplete } from './plan.ts';
import type { Source } from './source.ts';

const TYPE = 'ResourcesApplied';

/** The reasons of `v1beta2`, of which there are fewer. */
const REASONS: Readonly<Record<FaultReason, string>> = {
  WrongSecretType: 'WrongSecretType',
  RetrievingResourceFailed: 'InternalError',
  RemoteClusterClientFailed: 'InternalError',
  ApplyFailed: 'NotApplied',
};

/** The maximum number of clusters in a condition. */
const MAX_CLUSTERS = 10;

interface Lack {
  cluster: string;
  reason: FaultReason;
  message: string;
}

export interface SetFacts {
  sources: readonly Source[];
  /** The clusters that the set selects. */
  clusters: readonly Cluster[];
  /** The bindings of its namespace, by the name of the cluster. */
  bindings: ReadonlyMap<string, ClusterResourceSetBinding>;
}

/** Whether the set has an annotation that pauses it. */
export const isPausedSet = ({ metadata }: ClusterResourceSet): boolean =>
  ANNOTATION.paused in (metadata.annotations ?? {});

const lackOf = (set: ClusterResourceSet, { sources, bindings }: SetFacts, cluster: Cluster): Lack | undefined => {
  const { name } = set.metadata;
  const binding = bindings.get(cluster.metadata.name);
  const fault = faultsOf(binding)[name];
  if (fault) return { cluster: cluster.metadata.name, ...fault };
  if (isComplete(set, sources, recordsOf(binding, name))) return undefined;
  return { cluster: cluster.metadata.name, reason: 'ApplyFailed', message: 'not applied yet' };
};

const messageOf = (lacks: readonly Lack[]): string => {
  const lines = lacks.slice(0, MAX_CLUSTERS).map(({ cluster, message }) => `* ${cluster}: ${message}`);
  const more = lacks.length - lines.length;
  return [...lines, ...(more > 0 ? [`* and ${more} more`] : [])].join('\n');
};

const severityOf = (reason: FaultReason): 'Error' | 'Warning' =>
  reason === 'RemoteClusterClientFailed' ? 'Error' : 'Warning';

/**
 * The status of a set, derived from the bindings of all clusters that it selects: it is applied when it is applied to
 * all of them. As in upstream, a set that selects no cluster has no condition.
 */
export const setStatus = (set: ClusterResourceSet, facts: SetFacts, now: Date): ClusterResourceSet['status'] => {
  const { generation } = set.metadata;
  const paused: ConditionClaim = isPausedSet(set)
    ? { type: 'Paused', status: 'True', reason: 'Paused', message: 'paused by its annotation' }
    : { type: 'Paused', status: 'False', reason: 'NotPaused' };
  const [claim, legacy] = claimsOf(facts.clusters.flatMap((cluster) => lackOf(set, facts, cluster) ?? []));
  const before = { ...set, status: set.status?.deprecated?.v1beta1 as { conditions?: never } | undefined };
  const older = withLegacyCondition(before, legacy, now).status as { conditions?: { type: string }[] };
  return {
    ...set.status,
    conditions: withConditions(set.status?.conditions, [claim, paused], generation, now),
    ...(generation ? { observedGeneration: generation } : {}),
    // Unlike other kinds, this one has no summary.
    deprecated: { v1beta1: { conditions: older.conditions?.filter(({ type }) => type === TYPE) as never } },
  };
};

const claimsOf = (lacks: readonly Lack[]): [ConditionClaim, LegacyClaim] => {
  const reason = WORST.find((candidate) => lacks.some((lack) => lack.reason === candidate));
  if (!reason) {
    return [
      { type: TYPE, status: 'True', reason: 'Applied' },
      { type: TYPE, status: 'True' },
    ];
  }
  const message = messageOf(lacks);
  return [
    { type: TYPE, status: 'False', reason: REASONS[reason], message },
    { type: TYPE, status: 'False', severity: severityOf(reason), reason, message },
  ];
};
