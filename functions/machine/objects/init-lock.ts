import { type Cluster, type ConfigMap, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { ownerReference } from '../../../shared/plan/machines/desired.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';

const KEY = 'lock-information';

const holderOf = (lock: ConfigMap): string | undefined => {
  try {
    const parsed: unknown = JSON.parse(lock.data?.[KEY] ?? '');
    return parsed && typeof parsed === 'object' && 'machineName' in parsed ? String(parsed.machineName) : undefined;
  } catch {
    // Somebody else's text: nobody holds a lock that cannot be read.
    return undefined;
  }
};

const lockOf = (cluster: Cluster, machineName: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    namespace: cluster.metadata.namespace,
    name: `${cluster.metadata.name}-lock`,
    labels: { [LABEL.clusterName]: cluster.metadata.name },
    ownerReferences: [ownerReference(cluster)],
  },
  data: { [KEY]: JSON.stringify({ machineName }) },
});

/** The machine that holds the lock, which may be gone by now; undefined while nobody has taken it. */
export const readInitHolder = async (objects: ObjectClient, { metadata }: Cluster): Promise<string | undefined> => {
  const key = { namespace: metadata.namespace ?? '', name: `${metadata.name}-lock` };
  const lock = await objects.get(kinds.configMap, key);
  return lock && holderOf(lock);
};

/**
 * Which control plane machine runs `kubeadm init`: the first to create the ConfigMap `<cluster>-lock`, as upstream. The
 * name is deterministic, so that only one create succeeds. A holder that no longer exists is replaced by whoever comes
 * first; the write is conditional, so that again only one does.
 */
export const takesInit = async (objects: ObjectClient, cluster: Cluster, ref: MachineRef): Promise<boolean> => {
  const wanted = lockOf(cluster, ref.name);
  const { object } = await objects.ensure(kinds.configMap, wanted);
  const holder = holderOf(object);
  if (holder === ref.name) return true;
  const { namespace } = ref;
  if (holder && (await objects.get(kinds.machine, { namespace, name: holder }))) return false;
  const taken = await objects.mutate(kinds.configMap, { namespace, name: wanted.metadata.name }, (current) =>
    holderOf(current) === holder ? { ...current, data: wanted.data } : undefined,
  );
  return taken !== undefined && holderOf(taken) === ref.name;
};
