import type { AWSMachinePool } from '../../../kinds/index.ts';

type InstanceStatus = NonNullable<NonNullable<AWSMachinePool['status']>['instances']>[number];

const instanceOf = (providerId: string): string | undefined => providerId.split('/').at(-1);

/**
 * The statuses of these instances. The version of an instance that is already in the status is kept until another one
 * is known.
 */
export const instanceStatuses = ({ status }: AWSMachinePool, ids: readonly string[]): InstanceStatus[] => {
  const known = new Map(status?.instances?.map((one) => [one.instanceID, one.version]));
  return ids.map((instanceID) => {
    const version = known.get(instanceID);
    return { instanceID, ...(version ? { version } : {}) };
  });
};

/**
 * The pool with the versions of the kubelets on its instances, by provider id; undefined if its status already has
 * them. Source: CAPA pkg/cloud/scope/machinepool.go, UpdateInstanceStatuses, which reads them from the nodes, and in
 * 2.11 writes them to a copy that is discarded.
 */
export const withVersions = (
  pool: AWSMachinePool,
  versions: ReadonlyMap<string, string>,
): AWSMachinePool | undefined => {
  const byInstance = new Map([...versions].map(([providerId, version]) => [instanceOf(providerId), version]));
  let isNews = false;
  const instances = (pool.status?.instances ?? []).map((one) => {
    const version = byInstance.get(one.instanceID);
    if (!version || version === one.version) return one;
    isNews = true;
    return { ...one, version };
  });
  return isNews ? { ...pool, status: { ...pool.status, instances } } : undefined;
};
