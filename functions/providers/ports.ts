/**
 * What the core's functions request from a provider's cloud. A function gets its port for each provider, by the
 * provider's name. A provider without the port is not called.
 */
import type { V1Node } from '@kubernetes/client-node';
import type { InfrastructureCluster, InfrastructureMachineTemplate } from '../../shared/kinds/infrastructure.ts';
import type { Fates } from '../../shared/plan/drift/orphan-nodes.ts';
import type { Retry } from '../../shared/plan/duties/retry.ts';
import type { FailedRoute, WantedRoute } from '../../shared/plan/routes/wanted.ts';
import type { Service } from '../../shared/plan/services/service.ts';
import type { MachineSnapshot } from '../machine/read-machine.ts';

export type ByProvider<Port> = Readonly<Record<string, Port>>;

/** The port of the cluster-workload function. */
export interface WorkloadPort {
  /** The fate of instances. Rejects if the cloud does not answer, so that nothing is concluded. */
  fatesOf(cluster: InfrastructureCluster | null, instanceIds: readonly string[]): Promise<Fates>;
  /**
   * Looks up the capacity of templates' machines. Used for one pass, in which templates of the same type are queried
   * once.
   */
  capacity(cluster: InfrastructureCluster): Promise<DescribeCapacity>;
  /** Absent if the provider creates no load balancers for Services. */
  readonly balancers?: BalancerPort;
  /** Absent if the provider creates no routes to pods. */
  readonly routes?: RoutePort;
}

/** The routes that the nodes of a cluster need. All lie within the Cluster's pod network, and none overlap. */
export interface RouteWork {
  readonly podBlocks: readonly string[];
  readonly wanted: readonly WantedRoute[];
}

export interface RoutesResult {
  readonly failed: readonly FailedRoute[];
  /** Routes that are not needed but could not be removed, in words. */
  readonly remaining: readonly string[];
  /** Routes that are not complete, because there was too much to do. */
  readonly waiting: readonly WantedRoute[];
}

/** The cluster's network has no route table for routes to pods. `message` says what to do. */
export class NoRouteTableError extends Error {
  override readonly name = 'NoRouteTable';
}

/** Routes to the pods of nodes. */
export interface RoutePort {
  /**
   * Applies the desired routes of a cluster. A route that fails does not stop the others. Rejects if the cloud does not
   * answer, and with a NoRouteTableError.
   */
  settle(
    infrastructure: InfrastructureCluster,
    cluster: { namespace: string; name: string },
    work: RouteWork,
  ): Promise<RoutesResult>;
}

/** The Services of a cluster, all with the finalizer. */
export interface BalancerWork {
  /** Services that need a load balancer. */
  readonly wanted: readonly Service[];
  /** Services whose load balancer must be removed. */
  readonly leaving: readonly Service[];
  /** The nodes that receive the traffic. */
  readonly nodes: readonly V1Node[];
  readonly now: Date;
}

export type BalancerResult =
  | {
      readonly outcome: 'ready';
      /** Empty while there is no address. */
      readonly hosts: readonly string[];
      /** The number of instances that are targets. */
      readonly targets: number;
      /** Whether anything except the targets was changed in this call. */
      readonly isChanged: boolean;
      readonly hasNewTargets: boolean;
      /** A warning for the Service's user. */
      readonly warning?: string;
      /** When another pass may find the problem of the warning solved. */
      readonly retry?: Retry;
    }
  /** Nothing is left of the load balancer. */
  | { readonly outcome: 'removed' }
  /** Nothing is wrong, but the cloud needs more time than a pass has. */
  | { readonly outcome: 'waiting' }
  /** `message`: for the Service's user. */
  | { readonly outcome: 'failed'; readonly message: string; readonly retry: Retry };

/** Load balancers of Services in workload clusters. */
export interface BalancerPort {
  /** Whether another program provides the Service's load balancer, according to its annotations. Pure. */
  isServedElsewhere(service: Service): boolean;
  /**
   * Applies the desired load balancers of a cluster, and returns the results by the uids of the Services. A load
   * balancer that fails does not stop the others. Rejects if the cloud does not answer.
   */
  settle(
    infrastructure: InfrastructureCluster,
    cluster: { namespace: string; name: string },
    work: BalancerWork,
  ): Promise<ReadonlyMap<string, BalancerResult>>;
}

export type Capacity = Required<Pick<NonNullable<InfrastructureMachineTemplate['status']>, 'capacity' | 'nodeInfo'>>;

/** A text says why the capacity is not known, and names the field that decides it. Never rejects. */
export type DescribeCapacity = (template: InfrastructureMachineTemplate) => Promise<Capacity | string>;

/** Removes the stored copy of the bootstrap data from which a machine has fetched it. */
export interface BootstrapDeliveryPort {
  /** `component` reports the removal in an event. Data that is not the machine's is kept, and an event says so. */
  remove(snapshot: MachineSnapshot, component: string): Promise<void>;
}
