import { kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { withFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import { RANCHER_FINALIZER } from '../../../shared/plan/rancher/names.ts';
import { causeOf } from '../../../shared/work/failure.ts';
import type { BeginResult, ConvergeInput, Failure, FinishResult } from '../../../shared/work/payloads.ts';
import { LEASE_SECONDS } from '../objects/begin.ts';
import { GONE, release } from '../objects/finish/finish.ts';
import { nextPass } from '../objects/finish/next-pass.ts';
import { converge } from './conclude.ts';
import type { RancherDependencies } from './dependencies.ts';
import { readMade, readRancher } from './read.ts';
import { rancherRecorder } from './reasons.ts';
import { remove } from './remove.ts';

/** Acquires the lease. As with a paused cluster, the workflow skips all other steps until the last. */
const begin =
  ({ objects, work }: RancherDependencies) =>
  async ({ cluster: ref, holder }: ConvergeInput): Promise<BeginResult> => {
    const cluster = await readRancher(objects, ref);
    if (!cluster) {
      await work.remove(ref);
      return { mode: 'gone', wanted: 0, infrastructure: '' };
    }
    const { acquired, wanted } = await work.begin(ref, holder, LEASE_SECONDS);
    if (!acquired) return { mode: 'busy', wanted, infrastructure: '' };
    const finalizer = withFinalizer(RANCHER_FINALIZER);
    await objects.mutate(kinds.rancherCluster, keyOf(cluster), finalizer, { from: cluster });
    return { mode: 'paused', wanted, infrastructure: '' };
  };

/** The pass itself: creates, changes or deletes the Cluster's objects, and releases the lease. */
const conclude =
  (deps: RancherDependencies) =>
  async (input: ConvergeInput): Promise<FinishResult> => {
    const { cluster: ref, holder, wanted, seen = wanted } = input;
    const cluster = await readRancher(deps.objects, ref);
    const made = cluster && (await readMade(deps.objects, cluster));
    const isOver = !made || (cluster.metadata.deletionTimestamp !== undefined && (await remove(deps, made)));
    if (isOver) {
      await deps.work.remove(ref);
      return GONE;
    }
    if (cluster.metadata.deletionTimestamp || !(await converge(deps, made))) return release(deps, input);
    return nextPass(deps, input, await deps.work.finish(ref, holder, seen), 0);
  };

const requeue =
  ({ objects, work, touch }: RancherDependencies) =>
  async ({ cluster: ref, wanted, seen = wanted }: ConvergeInput) => {
    const current = await work.get(ref);
    if (current && current.wanted > seen) return { touched: false };
    if (!(await readRancher(objects, ref))) return { touched: false };
    await touch(ref);
    return { touched: true };
  };

const fail =
  (deps: RancherDependencies) =>
  async ({ failure, ...input }: ConvergeInput & { failure?: Failure }): Promise<FinishResult> => {
    const cluster = await readRancher(deps.objects, input.cluster);
    if (!cluster) {
      await deps.work.remove(input.cluster);
      return GONE;
    }
    const { name, message } = causeOf(failure);
    await rancherRecorder(deps).warning(cluster, 'ClusterPassFailed', `${name}: ${message}`);
    return release(deps, input);
  };

/** The steps of a pass over a Cluster of Rancher's group. The workflow runs them like those of any other Cluster. */
export const rancherSteps = (deps: RancherDependencies) => ({
  begin: begin(deps),
  conclude: conclude(deps),
  requeue: requeue(deps),
  fail: fail(deps),
});
