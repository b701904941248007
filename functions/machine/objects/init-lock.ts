import { isDeepStrictEqual } from 'node:util';
import { type Cluster, type ConfigMap, kinds } from '../../../shared/kinds/index.ts';
import { isObject } from '../../../shared/kube-api/json.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { CONTROLLERS } from '../../../shared/kube-api/storage/object-client.ts';
import { type InitHolder, isInitHolder } from '../../../shared/plan/control-plane/initialization.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { ownerReference } from '../../../shared/plan/machines/desired.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { readInfrastructure } from '../../cluster/snapshot.ts';
import { isControlPlaneMachine } from '../read-machine.ts';

/** The key under which a lock names the machine that holds it. */
export const LOCK_KEY = 'lock-information';
/**
 * Records on the lock that the control plane was observed: from then on, no machine initializes it, even if the holder
 * is gone.
 */
const INITIALIZED = 'windlass.dev/control-plane-initialized';

const holderOf = (lock: ConfigMap): InitHolder | undefined => {
  try {
    const parsed: unknown = JSON.parse(lock.data?.[LOCK_KEY] ?? '');
    if (!isObject(parsed) || parsed.machineName === undefined) return undefined;
    const { machineName, machineUid } = parsed;
    return { name: String(machineName), uid: machineUid === undefined ? undefined : String(machineUid) };
  } catch {
    // Other clients may write the text; an invalid lock has no holder.
    return undefined;
  }
};

/** A lock that another client wrote belongs to an existing cluster: clusterctl moves only those. */
const isOver = ({ metadata }: ConfigMap): boolean =>
  INITIALIZED in (metadata.annotations ?? {}) ||
  metadata.managedFields?.some(({ manager }) => manager !== CONTROLLERS) === true;

/** The key of the lock with which one control plane machine of a cluster runs `kubeadm init`. */
export const lockKey = ({ metadata }: Cluster) => ({
  namespace: metadata.namespace ?? '',
  name: `${metadata.name}-lock`,
});

const lockOf = (cluster: Cluster, { name, uid }: MachineRef): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...lockKey(cluster),
    labels: { [LABEL.clusterName]: cluster.metadata.name },
    ownerReferences: [ownerReference(cluster)],
  },
  data: { [LOCK_KEY]: JSON.stringify({ machineName: name, ...(uid ? { machineUid: uid } : {}) }) },
});

/**
 * The machine that holds the lock, which may be gone by now; undefined if there is no holder, or once the control plane
 * was observed.
 */
export const readInitHolder = async (objects: ObjectClient, cluster: Cluster): Promise<InitHolder | undefined> => {
  const lock = await objects.get(kinds.configMap, lockKey(cluster));
  return lock && !isOver(lock) ? holderOf(lock) : undefined;
};

/** Ends the lock permanently. Must be called before the control plane is reported as initialized. */
export const endInit = async (objects: Pick<ObjectClient, 'mutate'>, cluster: Cluster): Promise<void> => {
  await objects.mutate(kinds.configMap, lockKey(cluster), (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, [INITIALIZED]: '' } },
  }));
};

/** Whether another control plane machine may belong to a cluster that a previous holder has initialized. */
const hasOtherRunning = async (
  objects: ObjectClient,
  { namespace, name, clusterName }: MachineRef,
): Promise<boolean> => {
  const reading = objects.listOfCluster(kinds.machine, namespace, clusterName);
  const infrastructure = await readInfrastructure(objects, { namespace, name: clusterName }, reading);
  const machines = await reading;
  return machines.some(
    (machine) =>
      machine.metadata.name !== name &&
      isControlPlaneMachine(machine) &&
      (machine.spec.providerID !== undefined || infrastructure.get(machine.metadata.name)?.facts.mayHaveRun),
  );
};

/**
 * Decides which control plane machine runs `kubeadm init`: the first to create the ConfigMap `<cluster>-lock`, as in
 * upstream. The name is deterministic, so only one creation succeeds. If the holder no longer exists, the first machine
 * that tries replaces it; the write is conditional, so again only one succeeds. The holder is not replaced while a
 * machine exists that may have joined its cluster: such machines are deleted first. If there is no holder although such
 * a machine exists, the cluster was formed elsewhere and its objects were moved here without their status: another
 * initialization would create a second cluster.
 */
export const takesInit = async (objects: ObjectClient, cluster: Cluster, ref: MachineRef): Promise<boolean> => {
  const wanted = lockOf(cluster, ref);
  const isTaken = (await objects.get(kinds.configMap, lockKey(cluster))) !== undefined;
  if (!isTaken && (await hasOtherRunning(objects, ref))) return false;
  const { object } = await objects.ensure(kinds.configMap, wanted);
  if (isOver(object)) return false;
  const holder = holderOf(object);
  if (isInitHolder(holder, ref)) return true;
  const { namespace } = ref;
  const present = holder && (await objects.get(kinds.machine, { namespace, name: holder.name }));
  if (present && isInitHolder(holder, present.metadata)) return false;
  if (holder && (await hasOtherRunning(objects, ref))) return false;
  const taken = await objects.mutate(kinds.configMap, { namespace, name: wanted.metadata.name }, (current) =>
    isDeepStrictEqual(holderOf(current), holder) && !isOver(current) ? { ...current, data: wanted.data } : undefined,
  );
  return taken !== undefined && !isOver(taken) && isInitHolder(holderOf(taken), ref);
};
