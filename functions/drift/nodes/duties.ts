import type { V1Node } from '@kubernetes/client-node';
import type { Cluster } from '../../../shared/kinds/index.ts';
import { balancesServices, routesPods } from '../../../shared/kinds/rules/cloud-controller.ts';
import { isRoutedOtherwise } from '../../../shared/plan/routes/condition.ts';
import { isRoutesNews } from '../../../shared/plan/routes/digest.ts';
import { isBalancedOtherwise } from '../../../shared/plan/services/condition.ts';
import { isServicesNews } from '../../../shared/plan/services/digest.ts';
import type { Service } from '../../../shared/plan/services/service.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';

/** Whether a sweep compares the Services of a cluster with what the last pass saw. */
export const comparesServices = (cluster: Cluster, isHourly: boolean): boolean =>
  balancesServices(cluster) && !isBalancedOtherwise(cluster, isHourly);

const comparesRoutes = (cluster: Cluster, isHourly: boolean): boolean =>
  routesPods(cluster) && !isRoutedOtherwise(cluster, isHourly);

/** Whether a sweep queries a cluster because of its load balancers or routes. */
export const hasDuties = (cluster: Cluster, isHourly: boolean): boolean =>
  comparesServices(cluster, isHourly) || comparesRoutes(cluster, isHourly);

/** Whether the cluster needs load balancers or routes that no pass has completed yet. */
export const areDutiesNew = (
  { cluster, infrastructure }: PlacedCluster,
  { nodes, services }: { nodes: readonly V1Node[]; services: readonly Service[] | undefined },
  isHourly: boolean,
): boolean => {
  const podBlocks = cluster.spec.clusterNetwork?.pods?.cidrBlocks ?? [];
  return (
    (services !== undefined && isServicesNews(infrastructure, services, nodes, isHourly)) ||
    (comparesRoutes(cluster, isHourly) && isRoutesNews(infrastructure, nodes, podBlocks, isHourly))
  );
};
