/** The data that the list of the fleet needs in addition to the Clusters, read for all of them together. */
import type { AWSCluster, AWSMachine, Cluster, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import { type CostEstimate, estimateCost } from '../../../shared/providers/aws/plan/cost/estimate.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { type Api, ApiError } from '../api/answer.ts';
import { listAll } from '../api/resources.ts';
import { awsClusterName, awsMachineName } from './aws-objects.ts';
import { driftsOf } from './conditions.ts';

/** All objects of these kinds, in the fleet or in a namespace. */
export interface FleetObjects {
  awsClusters: readonly AWSCluster[];
  awsMachines: readonly AWSMachine[];
  machines: readonly Machine[];
}

/** The data that a list of clusters shows in addition to the Cluster itself. */
export interface FleetDetails {
  /** The differences from the account, as text; empty if there are none. */
  drift: readonly string[];
  /** Undefined if the infrastructure of the cluster is not AWS. */
  cost?: Omit<CostEstimate, 'lines'>;
}

/** Finds the details of a cluster. */
export type DetailsOf = (cluster: Cluster) => FleetDetails;

/** Reads them with three lists. Rejects with ApiError if one is refused. */
export const readFleet = async (api: Api, namespace: string | undefined): Promise<FleetObjects> => {
  const inNamespace = namespace === undefined ? '' : `/namespaces/${namespace}`;
  // A kind that the API does not serve has no objects.
  const list = async <T extends KubeObject>(group: string, plural: string): Promise<T[]> => {
    try {
      return await listAll<T>(api, `/apis/${group}/v1beta2${inNamespace}/${plural}`);
    } catch (error) {
      if (error instanceof ApiError && error.status.code === 404) return [];
      throw error;
    }
  };
  const [awsClusters, awsMachines, machines] = await Promise.all([
    list<AWSCluster>(GROUP.infrastructure, 'awsclusters'),
    list<AWSMachine>(GROUP.infrastructure, 'awsmachines'),
    list<Machine>(GROUP.core, 'machines'),
  ]);
  return { awsClusters, awsMachines, machines };
};

const keyOf = (namespace = '', name = ''): string => `${namespace}/${name}`;

const byKey = <T extends KubeObject>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map((object) => [keyOf(object.metadata.namespace, object.metadata.name), object]));

const countOf = (machines: readonly Machine[]): string[] => {
  const drifted = machines.filter((machine) => driftsOf(machine).length > 0).length;
  return drifted === 0 ? [] : [drifted === 1 ? '1 instance' : `${drifted} instances`];
};

/** Each object is processed once, for any number of clusters. Pure. */
export const detailsOf = (objects: FleetObjects, lists: readonly PriceList[]): DetailsOf => {
  const awsClusters = byKey(objects.awsClusters);
  const awsMachines = byKey(objects.awsMachines);
  const machines = Map.groupBy(objects.machines, ({ metadata, spec }) => keyOf(metadata.namespace, spec.clusterName));
  return (cluster) => {
    const { namespace, name } = cluster.metadata;
    const own = machines.get(keyOf(namespace, name)) ?? [];
    const drift = [...driftsOf(cluster), ...countOf(own)];
    const awsName = awsClusterName(cluster);
    if (awsName === undefined) return { drift };
    const instances = own.flatMap((machine) => awsMachines.get(keyOf(namespace, awsMachineName(machine))) ?? []);
    const { lines: _, ...cost } = estimateCost(
      { awsCluster: awsClusters.get(keyOf(namespace, awsName)), machines: instances },
      lists,
    );
    return { drift, cost };
  };
};
