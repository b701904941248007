import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import type { Random } from '../../../../../shared/random.ts';
import { reconcileDaemonSets } from './daemon-sets.ts';
import { reconcileBudgets } from './disruption.ts';
import { runPods, schedulePods } from './pods.ts';
import { reconcileDeployments, reconcileReplicaSets } from './replica-sets.ts';
import { readWorkloads } from './workloads.ts';

/** The controllers of the cluster's workloads: each write of one triggers the others' next run. */
export const reconcileWorkloads = async (objects: ObjectClient, now: Date, random: Random): Promise<void> => {
  const workloads = await readWorkloads(objects);
  await reconcileDeployments(objects, workloads);
  await reconcileReplicaSets(objects, workloads, random);
  await reconcileDaemonSets(objects, workloads, random);
  await schedulePods(objects, workloads, now);
  await runPods(objects, workloads, now);
  await reconcileBudgets(objects, await readWorkloads(objects), now);
};
