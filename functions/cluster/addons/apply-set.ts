import { type Cluster, type ClusterResourceSet, kinds } from '../../../shared/kinds/index.ts';
import { withFinalizer } from '../../../shared/kube-api/finalizers.ts';
import {
  faultsOf,
  type ResourceRecord,
  recordFor,
  recordsOf,
  withFaults,
  withRecords,
} from '../../../shared/plan/addons/binding.ts';
import { type Fault, worstOf } from '../../../shared/plan/addons/faults.ts';
import { planSet, type Work } from '../../../shared/plan/addons/plan.ts';
import { FINALIZER } from '../../../shared/plan/labels.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { applyWork } from './apply.ts';
import { readBinding, writeBinding } from './bindings.ts';
import type { AddonsDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';
import { reportSet } from './report-set.ts';
import { readSources } from './sources.ts';

/** A connection to the created cluster, or why there is none. */
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
 * No further resource is started after this long: the next pass continues with what the binding does not show as
 * applied.
 */
const BUDGET_MILLISECONDS = 30_000;

/** No further object of a resource is started after this long: the function would end before anything is recorded. */
const LIMIT_MILLISECONDS = 40_000;

/** The limit of Kubernetes. */
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
  // The set was deleted in the meantime; the objects that it names are deleted with it.
  if (!marked || marked.metadata.deletionTimestamp || marked.metadata.uid !== set.metadata.uid) return;
  const sources = await readSources(objects, set);
  const binding = await readBinding(objects, cluster);
  const { work, faults } = planSet(set, sources, recordsOf(binding, name));
  const outcome = await applyAll(deps, assignment, work);
  const fault = worstOf([...faults, ...outcome.faults]);
  const before = faultsOf(binding)[name];
  await writeBinding(objects, cluster, (current) => {
    const { [name]: _, ...others } = faultsOf(current);
    return withFaults(withRecords(current, set, outcome.records), fault ? { ...others, [name]: fault } : others);
  });
  if (fault && fault.message !== before?.message) await recordFault(deps, assignment, fault);
  // Repeated attempts with the same fault have the same warnings, which are recorded already.
  if (!fault || fault.message !== before?.message) await recordWarnings(deps, assignment, outcome.warnings);
  await reportSet(deps, set, sources);
};

interface Outcome {
  records: ResourceRecord[];
  faults: Fault[];
  warnings: string[];
}

/** Applies the resources one after the other; a fault of one does not stop the others. */
const applyAll = async (
  { clock }: AddonsDependencies,
  { set, workload: { client, why = '' }, startedAt }: Assignment,
  work: readonly Work[],
): Promise<Outcome> => {
  const outcome: Outcome = { records: [], faults: [], warnings: [] };
  if (work.length === 0) return outcome;
  const isOver = (limit: number) => clock.now().getTime() - startedAt.getTime() > limit;
  if (!client) return { ...outcome, faults: [{ reason: 'RemoteClusterClientFailed', message: why }] };
  for (const item of work) {
    if (isOver(BUDGET_MILLISECONDS)) {
      outcome.faults.push({
        reason: 'ApplyFailed',
        message: 'not all resources could be applied in time; the next pass applies the rest',
      });
      break;
    }
    try {
      const { problem, warnings } = await applyWork(client, set, item, () => isOver(LIMIT_MILLISECONDS));
      outcome.warnings.push(...warnings);
      const hash = 'fault' in item ? undefined : item.hash;
      outcome.records.push(recordFor(item.ref, { applied: !problem, hash, now: clock.now() }));
      if (problem) outcome.faults.push({ reason: 'ApplyFailed', message: problem });
    } catch (error) {
      if (!(error instanceof WorkloadUnreachableError)) throw error;
      outcome.faults.push({ reason: 'RemoteClusterClientFailed', message: error.message });
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
