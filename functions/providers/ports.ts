/**
 * What functions of the core request from a provider's cloud. A function that needs a port gets one for each provider,
 * by the provider's name; a provider without one is not called.
 */
import type { V1Node } from '@kubernetes/client-node';
import type { InfrastructureCluster, InfrastructureMachineTemplate } from '../../shared/kinds/infrastructure.ts';
import type { Fates } from '../../shared/plan/drift/orphan-nodes.ts';
import type { Retry } from '../../shared/plan/duties/retry.ts';
import type { FailedRoute, WantedRoute } from '../../shared/plan/routes/wanted.ts';
import type { Service } from '../../shared/plan/services/service.ts';
import type { MachineSnapshot } from '../machine/read-machine.ts';

export type ByProvider<Port> = Readonly<Record<string, Port>>;

/** What the cluster-workload function asks. */
export interface WorkloadPort {
  /** The fate of instances. Rejects if the cloud does not answer: then nothing is concluded. */
  fatesOf(cluster: InfrastructureCluster | null, instanceIds: readonly string[]): Promise<Fates>;
  /** Looks up the capacity of templates' machines. Used for one pass; templates of one type are queried once. */
  capacity(cluster: InfrastructureCluster): Promise<DescribeCapacity>;
  /** Absent: the provider makes no load balancers for Services. */
  readonly balancers?: BalancerPort;
  /** Absent: the provider makes no routes to pods. */
  readonly routes?: RoutePort;
}

/** The routes that nodes of a cluster need; all are inside the Cluster's pod network and apart from each other. */
export interface RouteWork {
  readonly podBlocks: readonly string[];
  readonly wanted: readonly WantedRoute[];
}

export interface RoutesResult {
  readonly failed: readonly FailedRoute[];
  /** Routes that are not needed and could not be removed, in words. */
  readonly remaining: readonly string[];
  /** Those for which not everything was done, because there was too much to do. */
  readonly waiting: readonly WantedRoute[];
}

/** The network of a cluster in which routes to pods belong has no route table for them. `message` says what to do. */
export class NoRouteTableError extends Error {
  override readonly name = 'NoRouteTable';
}

/** Routes to the pods of nodes. */
export interface RoutePort {
  /**
   * Brings the routes of a cluster to where they should be. One that fails stops no other. Rejects if the cloud does not
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
  /** Those that are to have a load balancer. */
  readonly wanted: readonly Service[];
  /** Those whose load balancer is to go. */
  readonly leaving: readonly Service[];
  /** Where the traffic is to go. */
  readonly nodes: readonly V1Node[];
}

export type BalancerResult =
  | {
      readonly outcome: 'ready';
      /** Empty while there is no address. */
      readonly hosts: readonly string[];
      /** How many instances it sends to. */
      readonly targets: number;
      /** Whether anything but its targets was changed now. */
      readonly isChanged: boolean;
      readonly hasNewTargets: boolean;
      /** What its owner should know, in words. */
      readonly warning?: string;
    }
  /** Nothing is left of it. */
  | { readonly outcome: 'removed' }
  /** Nothing is wrong, but the cloud needs more time than a pass has. */
  | { readonly outcome: 'waiting' }
  /** `message`: for the Service's user. */
  | { readonly outcome: 'failed'; readonly message: string; readonly retry: Retry };

/** Load balancers of Services in created clusters. */
export interface BalancerPort {
  /** Whether another program, by the Service's own annotations, makes its load balancer. Pure. */
  isServedElsewhere(service: Service): boolean;
  /**
   * Brings all load balancers of a cluster to where they should be, and gives the results by the uids of the Services.
   * One that fails stops no other. Rejects if the cloud does not answer.
   */
  settle(
    infrastructure: InfrastructureCluster,
    cluster: { namespace: string; name: string },
    work: BalancerWork,
  ): Promise<ReadonlyMap<string, BalancerResult>>;
}

export type Capacity = Required<Pick<NonNullable<InfrastructureMachineTemplate['status']>, 'capacity' | 'nodeInfo'>>;

/** A text says why it is not known, with the field that decides it. Never rejects. */
export type DescribeCapacity = (template: InfrastructureMachineTemplate) => Promise<Capacity | string>;

/** Removes what was put somewhere for a machine to fetch its bootstrap data. */
export interface BootstrapDeliveryPort {
  /** `component` reports the removal in an event. What is not the machine's stays, and an event says so. */
  remove(snapshot: MachineSnapshot, component: string): Promise<void>;
}
