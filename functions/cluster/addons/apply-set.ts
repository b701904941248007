import {
  type Cluster,
  type ClusterResourceSet,
  type ClusterResourceSetBinding,
  kinds,
} from '../../../shared/kinds/index.ts';
import { withFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import {
  faultsOf,
  hasRoomFor,
  type ResourceRecord,
  recordFor,
  recordOf,
  recordsOf,
  withFaults,
  withRecords,
} from '../../../shared/plan/addons/binding.ts';
import { type Fault, worstOf } from '../../../shared/plan/addons/faults.ts';
import { planSet, type Work } from '../../../shared/plan/addons/plan.ts';
import { FINALIZER } from '../../../shared/plan/labels.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { type Applied, applyWork, isProgressOf } from './apply.ts';
import { readBinding, writeBinding } from './bindings.ts';
import type { AddonsDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';
import { reportSet } from './report-set.ts';
import { readSources } from './sources.ts';

/** A connection to the workload cluster, or the reason why there is none. */
export interface Workload {
  client?: WorkloadClient;
  why?: string;
}

export interface Assignment {
  cluster: Cluster;
  set: ClusterResourceSet;
  workload: Workload;
  /** When the step started. */
  startedAt: Date;
}

/**
 * After this time, no further resource is started: the next pass continues with those that the binding does not show as
 * applied.
 */
const BUDGET_MILLISECONDS = 30_000;

/**
 * After this time, no further set, and no further object of a resource, is started: otherwise the function would time
 * out before anything is recorded.
 */
export const LIMIT_MILLISECONDS = 40_000;

/** The fault of a set, or of a part of it, for which this pass has no time. */
export const LATE: Fault = {
  reason: 'ApplyFailed',
  message: 'not all resources could be applied in time; the next pass applies the rest',
  late: true,
};

const NO_ROOM: Fault = {
  reason: 'ApplyFailed',
  message: 'the cluster has 100 ClusterResourceSets, and its ClusterResourceSetBinding cannot hold more',
};

/** Kubernetes' limit. */
const MAX_EVENT_MESSAGE = 1024;

/** Applies one set to one cluster, and records the result: first in the binding, then in the set's status. */
export const applySet = async (deps: AddonsDependencies, assignment: Assignment): Promise<void> => {
  const { objects } = deps;
  const { cluster, set } = assignment;
  const { namespace = '', name } = set.metadata;
  const marked = await objects.mutate(
    kinds.clusterResourceSet,
    { namespace, name },
    withFinalizer(FINALIZER.clusterResourceSet),
  );
  // The set was deleted in the meantime, and the objects that it names are deleted with it.
  if (!marked || marked.metadata.deletionTimestamp || marked.metadata.uid !== set.metadata.uid) return;
  const binding = await readBinding(objects, cluster);
  const before = faultsOf(binding)[name];
  if (!hasRoomFor(binding, name)) {
    const isNews = await writeFault(objects, assignment, before, NO_ROOM, (current) => current);
    if (isNews) await recordFault(deps, assignment, NO_ROOM);
    return reportSet(deps, set);
  }
  const sources = await readSources(objects, set);
  const records = recordsOf(binding, name);
  const { work, faults } = planSet(set, sources, records);
  const outcome = await applyAll(deps, assignment, before?.late ? leastRecentFirst(work, records) : work, before);
  const fault = worstOf([...faults, ...outcome.faults]);
  const isNews = await writeFault(objects, assignment, before, fault, (current) =>
    withRecords(current, set, outcome.records),
  );
  if (fault && isNews) await recordFault(deps, assignment, fault);
  // The warnings of a repeated attempt with the same fault are already recorded.
  if (!fault || isNews) await recordWarnings(deps, assignment, outcome.warnings);
  await reportSet(deps, set, sources);
};

/**
 * Changes the binding, and writes the fault of the set into it, if there is one. Returns whether the fault differs from
 * `before`, as far as the binding can hold it.
 */
const writeFault = async (
  objects: ObjectClient,
  { cluster, set }: Assignment,
  before: Fault | undefined,
  fault: Fault | undefined,
  change: (binding: ClusterResourceSetBinding) => ClusterResourceSetBinding,
): Promise<boolean> => {
  const { name } = set.metadata;
  let stored: Fault | undefined;
  await writeBinding(objects, cluster, (current) => {
    const { [name]: _, ...others } = faultsOf(current);
    const next = withFaults(change(current), fault ? { ...others, [name]: fault } : others);
    stored = faultsOf(next)[name];
    return next;
  });
  return stored !== undefined && stored.message !== before?.message;
};

/** A resource that takes long and is refused each time must not keep the others from being applied. */
const leastRecentFirst = (work: readonly Work[], records: readonly ResourceRecord[]): Work[] => {
  const attemptOf = ({ ref }: Work): string => recordOf(records, ref)?.lastAppliedTime ?? '';
  return work.toSorted((a, b) => attemptOf(a).localeCompare(attemptOf(b)));
};

interface Outcome {
  records: ResourceRecord[];
  faults: Fault[];
  warnings: string[];
}

const note = (outcome: Outcome, item: Work, { problem, warnings, progress }: Applied, now: Date): void => {
  outcome.warnings.push(...warnings);
  const hash = 'fault' in item ? undefined : item.hash;
  outcome.records.push(recordFor(item.ref, { applied: !problem, hash, now }));
  const late = progress ? { late: true, progress } : {};
  if (problem) outcome.faults.push({ reason: 'ApplyFailed', message: problem, ...late });
};

/** Applies the resources one after the other; a fault of one does not stop the others. `before`: the fault of the last pass. */
const applyAll = async (
  { clock }: AddonsDependencies,
  { set, workload: { client, why = '' }, startedAt }: Assignment,
  work: readonly Work[],
  before: Fault | undefined,
): Promise<Outcome> => {
  const outcome: Outcome = { records: [], faults: [], warnings: [] };
  if (work.length === 0) return outcome;
  const isOver = (limit: number) => clock.now().getTime() - startedAt.getTime() > limit;
  const isLate = () => isOver(LIMIT_MILLISECONDS);
  const progress = before?.progress;
  /** Records a fault that prevented these parts from being applied; the progress within one of them is kept. */
  const stopped = (fault: Fault, rest: readonly Work[]): void => {
    const isOpen = rest.some((item) => isProgressOf(progress, item));
    outcome.faults.push({ ...fault, ...(progress && isOpen ? { progress } : {}) });
  };
  if (!client) {
    stopped({ reason: 'RemoteClusterClientFailed', message: why }, work);
    return outcome;
  }
  for (const [index, item] of work.entries()) {
    if (isOver(BUDGET_MILLISECONDS)) {
      stopped(LATE, work.slice(index));
      break;
    }
    try {
      note(outcome, item, await applyWork(client, set, item, { before: progress, isLate }), clock.now());
    } catch (error) {
      if (!(error instanceof WorkloadUnreachableError)) throw error;
      stopped({ reason: 'RemoteClusterClientFailed', message: error.message }, work.slice(index));
      break;
    }
  }
  return outcome;
};

/** Reports fields that were applied differently from what the manifest contains. */
const recordWarnings = async (
  deps: AddonsDependencies,
  { cluster, set }: Assignment,
  warnings: readonly string[],
): Promise<void> => {
  if (warnings.length === 0) return;
  const message = `Cluster ${cluster.metadata.name}: ${warnings.join('; ')}`.slice(0, MAX_EVENT_MESSAGE);
  await recorder(deps).warning(set, 'ManifestWarnings', message);
};

/** An unreachable cluster is not reported here: the Cluster's own conditions do that. */
const recordFault = async (
  deps: AddonsDependencies,
  { cluster, set }: Assignment,
  { reason, message }: Fault,
): Promise<void> => {
  if (reason === 'RemoteClusterClientFailed') return;
  await recorder(deps).warning(set, reason, `Cluster ${cluster.metadata.name}: ${message}`);
};
