/** Computes how long Cluster API did not check a workload cluster whose API server was running. */
import type { KubeObject } from '../../../../shared/kube-api/object.ts';

type WithConditions = KubeObject & {
  status?: { conditions?: { type: string; status: string; lastTransitionTime: string }[] };
};

export interface Connected {
  clusters: readonly KubeObject[];
  /** DevMachines. */
  machines: readonly KubeObject[];
}

/** Milliseconds since 1970 at which the condition became true. */
const trueSince = (object: KubeObject, type: string): number => {
  const { status } = object as WithConditions;
  const found = status?.conditions?.find((one) => one.type === type && one.status === 'True');
  return found ? Date.parse(found.lastTransitionTime) : Number.NaN;
};

/**
 * Seconds by the names of the clusters. The client cache tries to connect before there is an API server, and again 30
 * seconds later (`ConnectionCreationRetryInterval` in the package clustercache, for which the managers have no flag).
 */
export const waitsOf = ({ clusters, machines }: Connected): Record<string, number> =>
  Object.fromEntries(
    clusters.map((cluster) => {
      const { name } = cluster.metadata;
      const servers = machines
        .filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'] === name)
        .map((machine) => trueSince(machine, 'APIServerProvisioned'))
        .filter((at) => !Number.isNaN(at));
      const wait = (trueSince(cluster, 'RemoteConnectionProbe') - Math.min(...servers)) / 1000;
      return [name, Number.isFinite(wait) ? Math.max(0, wait) : 0];
    }),
  );
