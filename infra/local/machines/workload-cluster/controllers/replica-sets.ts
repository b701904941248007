import { createHash } from 'node:crypto';
import type { KubeObject, OwnerReference } from '../../../../../shared/kube-api/object.ts';
import { keyOf } from '../../../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import type { Random } from '../../../../../shared/random.ts';
import { deployment, pod, replicaSet } from '../kinds.ts';
import type { Pod } from '../objects.ts';
import { controllerUid, type Deployment, isPodReady, type PodTemplate, type ReplicaSet } from '../workloads.ts';
import type { Workloads } from './workloads.ts';

const HASH = 'pod-template-hash';

/** A short name for a template: equal templates have equal names. */
export const hashOf = (template: PodTemplate | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify(template ?? {}))
    .digest('hex')
    .slice(0, 10);

const controllerOf = ({ apiVersion, kind, metadata }: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** The pods of a controller that are not being deleted. */
export const activePods = ({ pods }: Workloads, { metadata }: KubeObject): Pod[] =>
  pods.filter(
    (one) =>
      controllerUid(one) === metadata.uid &&
      !one.metadata.deletionTimestamp &&
      !['Succeeded', 'Failed'].includes(one.status?.phase ?? ''),
  );

/** Creates a pod from a template for its controller. */
export const createPod = async (
  objects: ObjectClient,
  owner: KubeObject,
  template: PodTemplate | undefined,
  { random, labels = {}, spec = {} }: { random: Random; labels?: Record<string, string>; spec?: Pod['spec'] },
): Promise<void> => {
  const suffix = Buffer.from(random.bytes(4)).toString('hex').slice(0, 5);
  await objects.ensure<Pod>(pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${owner.metadata.name}-${suffix}`,
      namespace: owner.metadata.namespace,
      labels: { ...template?.metadata?.labels, ...labels },
      annotations: template?.metadata?.annotations,
      ownerReferences: [controllerOf(owner)],
    },
    spec: { ...template?.spec, ...spec },
    status: { phase: 'Pending' },
  });
};

/** The least important pods first: those without a node, then those that are not ready, then the newest. */
const byUse = (a: Pod, b: Pod): number =>
  Number(Boolean(a.spec?.nodeName)) - Number(Boolean(b.spec?.nodeName)) ||
  Number(isPodReady(a)) - Number(isPodReady(b)) ||
  ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1);

/** One run of the ReplicaSet controller. */
export const reconcileReplicaSets = async (
  objects: ObjectClient,
  workloads: Workloads,
  random: Random,
): Promise<void> => {
  for (const set of workloads.sets.filter(({ metadata }) => !metadata.deletionTimestamp)) {
    const active = activePods(workloads, set);
    const { replicas = 1, template } = set.spec;
    for (let missing = replicas - active.length; missing > 0; missing -= 1) {
      await createPod(objects, set, template, { random });
    }
    for (const one of active.sort(byUse).slice(0, Math.max(0, active.length - replicas))) {
      await objects.delete(pod, keyOf(one));
    }
    const readyReplicas = active.filter(isPodReady).length;
    const counts = { replicas: active.length, readyReplicas, availableReplicas: readyReplicas };
    await objects.mutate<ReplicaSet>(replicaSet, keyOf(set), (current) => ({
      ...current,
      status: { ...current.status, ...counts, observedGeneration: current.metadata.generation },
    }));
  }
};

const newSet = (owner: Deployment, hash: string): ReplicaSet => {
  const { selector = {}, template = {}, replicas = 1 } = owner.spec;
  const labels = { ...template.metadata?.labels, [HASH]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${owner.metadata.name}-${hash}`,
      namespace: owner.metadata.namespace,
      labels,
      ownerReferences: [controllerOf(owner)],
    },
    spec: {
      replicas,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
};

const scaleTo = (objects: ObjectClient, set: ReplicaSet, replicas: number) =>
  objects.mutate<ReplicaSet>(replicaSet, keyOf(set), (current) => ({
    ...current,
    spec: { ...current.spec, replicas },
  }));

const reportRollout = async (objects: ObjectClient, owner: Deployment, owned: readonly ReplicaSet[], hash: string) => {
  const sum = (of: readonly ReplicaSet[], count: 'replicas' | 'readyReplicas'): number =>
    of.reduce((total, { status }) => total + (status?.[count] ?? 0), 0);
  const current = owned.filter(({ metadata }) => metadata.labels?.[HASH] === hash);
  const ready = sum(owned, 'readyReplicas');
  const { replicas = 1 } = owner.spec;
  await objects.mutate<Deployment>(deployment, keyOf(owner), (found) => ({
    ...found,
    status: {
      ...found.status,
      observedGeneration: found.metadata.generation,
      replicas: sum(owned, 'replicas'),
      updatedReplicas: sum(current, 'replicas'),
      readyReplicas: ready,
      availableReplicas: ready,
      unavailableReplicas: Math.max(0, replicas - ready),
    },
  }));
};

/**
 * One run of the Deployment controller: first creates all pods of a new template, and then deletes those of the old
 * ones.
 */
export const reconcileDeployments = async (objects: ObjectClient, { deployments, sets }: Workloads): Promise<void> => {
  for (const owner of deployments.filter(({ metadata }) => !metadata.deletionTimestamp)) {
    const owned = sets.filter((set) => controllerUid(set) === owner.metadata.uid);
    const { replicas = 1, template } = owner.spec;
    const hash = hashOf(template);
    const { object: current } = await objects.ensure<ReplicaSet>(replicaSet, newSet(owner, hash));
    if (current.spec.replicas !== replicas) await scaleTo(objects, current, replicas);
    const isReplaced = (current.status?.readyReplicas ?? 0) >= replicas;
    for (const old of owned.filter(({ metadata }) => isReplaced && metadata.uid !== current.metadata.uid)) {
      if (old.spec.replicas !== 0) await scaleTo(objects, old, 0);
    }
    await reportRollout(objects, owner, owned, hash);
  }
};
