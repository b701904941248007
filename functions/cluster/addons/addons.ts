import {
  type Cluster,
  type ClusterResourceSet,
  type ClusterResourceSetBinding,
  kinds,
} from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { faultsOf, inTurn, isSettledSet, withFaults } from '../../../shared/plan/addons/binding.ts';
import { selectsCluster } from '../../../shared/plan/addons/selection.ts';
import { isPausedSet } from '../../../shared/plan/addons/status.ts';
import { shareOf } from '../../../shared/plan/share.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { workApart } from '../apart.ts';
import { readWorkloadTarget } from '../kubeconfig-secret.ts';
import { readClusterObject } from '../snapshot.ts';
import { applySet, LATE, LIMIT_MILLISECONDS, type Workload } from './apply-set.ts';
import { readBinding, writeBinding } from './bindings.ts';
import type { AddonsDependencies } from './dependencies.ts';
import { reportSet } from './report-set.ts';
import { restoreSourceOwner } from './sources.ts';

/**
 * Applies the ClusterResourceSets that select the cluster, and updates the cluster's binding and the status of the
 * sets. Failures are recorded in the binding, so that `finish` knows that another pass is needed.
 */
export const addons =
  (deps: AddonsDependencies) =>
  async ({ cluster: ref, wanted }: ConvergeInput) => {
    const { objects } = deps;
    const sets = (await objects.list(kinds.clusterResourceSet, ref.namespace)).filter(isAlive);
    if (sets.length === 0) return {};
    const cluster = await readClusterObject(objects, ref);
    if (!cluster || !isAlive(cluster)) return {};
    const selecting = sets.filter((set) => selectsCluster(set, cluster));
    const binding = await readBinding(objects, cluster);
    await forgetFaults(objects, cluster, binding, selecting);
    const open = selecting.filter((set) => !isSettledSet(set, binding));
    const settled = selecting.filter((set) => !open.includes(set) && !isPausedSet(set));
    const apart = workApart();
    await apart.attempt(() => restoreSources(objects, settled, `${ref.uid}/${wanted}`), undefined);
    if (open.length > 0) await apart.attempt(() => applySets(deps, cluster, inTurn(open, binding)), undefined);
    apart.rethrow();
    return { sets: selecting.length, looked: open.length };
  };

/** The number of objects that a pass reads only for their owners: a manifest may be large. */
const READS = 2;

/** Restores the owners of some of the objects that applied sets name; passes with another `turn` check others. */
const restoreSources = async (
  objects: ObjectClient,
  settled: readonly ClusterResourceSet[],
  turn: string,
): Promise<void> => {
  const sources = settled.flatMap((set) => set.spec.resources.map((ref) => ({ set, ref })));
  const { each, rethrow } = workApart();
  await each(shareOf(sources, turn, READS), (source) => restoreSourceOwner(objects, source));
  rethrow();
};

const isAlive = ({ metadata }: Cluster | ClusterResourceSet): boolean => metadata.deletionTimestamp === undefined;

/**
 * Removes the faults of sets that are paused or no longer select the cluster, so that the cluster does not wait for
 * them.
 */
const forgetFaults = async (
  objects: ObjectClient,
  cluster: Cluster,
  binding: ClusterResourceSetBinding | undefined,
  selecting: readonly ClusterResourceSet[],
): Promise<void> => {
  const active = selecting.filter((set) => !isPausedSet(set)).map(({ metadata }) => metadata.name);
  const isStale = ([set]: [string, unknown]): boolean => !active.includes(set);
  if (!Object.entries(faultsOf(binding)).some(isStale)) return;
  await writeBinding(objects, cluster, (current) =>
    withFaults(current, Object.fromEntries(Object.entries(faultsOf(current)).filter((entry) => !isStale(entry)))),
  );
};

const applySets = async (
  deps: AddonsDependencies,
  cluster: Cluster,
  sets: readonly ClusterResourceSet[],
): Promise<void> => {
  const workload = await openWorkload(deps, cluster);
  const startedAt = deps.clock.now();
  try {
    const { each, attempt, rethrow } = workApart();
    const late: ClusterResourceSet[] = [];
    const apply = async (set: ClusterResourceSet): Promise<void> => {
      if (deps.clock.now().getTime() - startedAt.getTime() > LIMIT_MILLISECONDS) late.push(set);
      else if (isPausedSet(set)) await reportSet(deps, set);
      else await applySet(deps, { cluster, set, workload, startedAt });
    };
    // One after the other, because they share the binding and the time.
    await each(sets, apply, 1);
    await attempt(() => noteLate(deps.objects, cluster, late), undefined);
    rethrow();
  } finally {
    await workload.client?.close();
  }
};

/** The next pass begins with the sets for which this pass had no time; what is recorded about them stays. */
const noteLate = async (
  objects: ObjectClient,
  cluster: Cluster,
  sets: readonly ClusterResourceSet[],
): Promise<void> => {
  const names = sets.filter((set) => !isPausedSet(set)).map(({ metadata }) => metadata.name);
  if (names.length === 0) return;
  await writeBinding(objects, cluster, (current) => {
    const faults = faultsOf(current);
    const late = names.map((name) => [name, { ...(faults[name] ?? LATE), late: true }]);
    return withFaults(current, { ...faults, ...Object.fromEntries(late) });
  });
};

/**
 * The probe of this pass has already shown whether the API server responds, so an unreachable one is not tried again.
 */
const openWorkload = async ({ objects, connect }: AddonsDependencies, cluster: Cluster): Promise<Workload> => {
  const probe = findCondition(cluster.status?.conditions, 'RemoteConnectionProbe');
  if (probe?.status !== 'True') return { why: probe?.message || 'no connection to the cluster yet' };
  const target = await readWorkloadTarget(objects, cluster);
  return target ? { client: connect(target) } : { why: 'the kubeconfig Secret does not exist' };
};
