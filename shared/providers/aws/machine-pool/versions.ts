import type { AWSMachinePool } from '../../../kinds/index.ts';

type InstanceStatus = NonNullable<NonNullable<AWSMachinePool['status']>['instances']>[number];

const instanceOf = (providerId: string): string | undefined => providerId.split('/').at(-1);

/** Those of the instances; what the pool says already of the version of one stays until something else is known. */
export const instanceStatuses = ({ status }: AWSMachinePool, ids: readonly string[]): InstanceStatus[] => {
  const known = new Map(status?.instances?.map((one) => [one.instanceID, one.version]));
  return ids.map((instanceID) => {
    const version = known.get(instanceID);
    return { instanceID, ...(version ? { version } : {}) };
  });
};

/**
 * The pool with the versions of the kubelets on its instances, by provider id; undefined where its status has them.
 * Source: CAPA pkg/cloud/scope/machinepool.go, UpdateInstanceStatuses, which reads them from the nodes, and in 2.11 writes
 * them into a copy that is thrown away.
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
