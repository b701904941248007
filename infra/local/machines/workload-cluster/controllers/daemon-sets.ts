import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import type { Random } from '../../../../../shared/random.ts';
import { daemonSet, pod } from '../kinds.ts';
import type { Pod } from '../objects.ts';
import { type DaemonSet, isPodReady } from '../workloads.ts';
import { DAEMON_TOLERATIONS, fits } from './placement.ts';
import { activePods, createPod, hashOf } from './replica-sets.ts';
import type { Workloads } from './workloads.ts';

const REVISION = 'controller-revision-hash';

const report = async (
  objects: ObjectClient,
  set: DaemonSet,
  pods: readonly Pod[],
  { wanted, revision }: { wanted: number; revision: string },
): Promise<void> => {
  const ready = pods.filter(isPodReady).length;
  const key = { namespace: set.metadata.namespace ?? '', name: set.metadata.name };
  await objects.mutate<DaemonSet>(daemonSet, key, (current) => ({
    ...current,
    status: {
      ...current.status,
      observedGeneration: current.metadata.generation,
      desiredNumberScheduled: wanted,
      currentNumberScheduled: pods.length,
      updatedNumberScheduled: pods.filter(({ metadata }) => metadata.labels?.[REVISION] === revision).length,
      numberReady: ready,
      numberAvailable: ready,
      numberUnavailable: Math.max(0, wanted - ready),
      numberMisscheduled: 0,
    },
  }));
};

/** One run of the DaemonSet controller: a pod of the newest template on each matching node. */
export const reconcileDaemonSets = async (
  objects: ObjectClient,
  workloads: Workloads,
  random: Random,
): Promise<void> => {
  for (const set of workloads.daemonSets.filter(({ metadata }) => !metadata.deletionTimestamp)) {
    const { template } = set.spec;
    const revision = hashOf(template);
    const wanted = workloads.nodes.filter((node) => fits(template?.spec, node, DAEMON_TOLERATIONS));
    const active = activePods(workloads, set);
    const names = new Set(wanted.map(({ metadata }) => metadata.name));
    const isGood = ({ metadata, spec }: Pod): boolean =>
      names.has(spec?.nodeName ?? '') && metadata.labels?.[REVISION] === revision;
    for (const { metadata } of active.filter((one) => !isGood(one))) {
      await objects.delete(pod, { namespace: metadata.namespace ?? '', name: metadata.name });
    }
    const served = new Set(active.filter(isGood).map(({ spec }) => spec?.nodeName));
    for (const name of [...names].filter((one) => !served.has(one))) {
      const { tolerations = [] } = (template?.spec ?? {}) as { tolerations?: object[] };
      const spec = { nodeName: name, tolerations: [...tolerations, ...DAEMON_TOLERATIONS] };
      await createPod(objects, set, template, { random, labels: { [REVISION]: revision }, spec });
    }
    await report(objects, set, active, { wanted: wanted.length, revision });
  }
};
