import type { V1Node } from '@kubernetes/client-node';
import type { Cluster } from '../../../shared/kinds/index.ts';
import { balancesServices, routesPods } from '../../../shared/kinds/rules/cloud-controller.ts';
import { isRoutedOtherwise } from '../../../shared/plan/routes/condition.ts';
import { isRoutesNews } from '../../../shared/plan/routes/digest.ts';
import { areServicesUnreached, isBalancedOtherwise } from '../../../shared/plan/services/condition.ts';
import { isServicesNews } from '../../../shared/plan/services/digest.ts';
import type { ListedService } from '../../../shared/plan/services/service.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';

/** Whether a sweep compares the Services of a cluster with what the last pass saw. */
const comparesServices = (cluster: Cluster, isHourly: boolean): boolean =>
  balancesServices(cluster) && !isBalancedOtherwise(cluster, isHourly);

const comparesRoutes = (cluster: Cluster, isHourly: boolean): boolean =>
  routesPods(cluster) && !isRoutedOtherwise(cluster, isHourly);

/** Whether a sweep queries a cluster because of its load balancers or routes. */
export const hasDuties = (cluster: Cluster, isHourly: boolean): boolean =>
  comparesServices(cluster, isHourly) || comparesRoutes(cluster, isHourly);

/** The Services of a cluster; undefined if they are not compared. Without them, its nodes are compared nevertheless. */
export const readServices = async (
  client: WorkloadClient,
  cluster: Cluster,
  isHourly: boolean,
): Promise<readonly ListedService[] | 'failed' | undefined> => {
  if (!comparesServices(cluster, isHourly)) return undefined;
  try {
    return await client.services.list();
  } catch (error) {
    if (!(error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError)) throw error;
    return 'failed';
  }
};

/** If the Services could not be read, the pass records it. */
const areServicesNew = (
  { cluster, infrastructure }: PlacedCluster,
  { nodes, services }: Parameters<typeof areDutiesNew>[1],
  isHourly: boolean,
): boolean => {
  if (services === undefined) return false;
  if (services === 'failed') return !areServicesUnreached(cluster);
  return isServicesNews(infrastructure, services, nodes, isHourly);
};

/** Whether the cluster needs load balancers or routes that no pass has completed yet. */
export const areDutiesNew = (
  at: PlacedCluster,
  seen: { nodes: readonly V1Node[]; services: readonly ListedService[] | 'failed' | undefined },
  isHourly: boolean,
): boolean => {
  const { cluster, infrastructure } = at;
  const podBlocks = cluster.spec.clusterNetwork?.pods?.cidrBlocks ?? [];
  return (
    areServicesNew(at, seen, isHourly) ||
    (comparesRoutes(cluster, isHourly) && isRoutesNews(infrastructure, seen.nodes, podBlocks, isHourly))
  );
};
