import type { AWSCluster } from '../../../kinds/index.ts';
import type { DriftKind } from '../../../kinds/rules/drift-policy.ts';
import type { CacheUpdates, PortCacheOptions } from '../api/port-cache.ts';
import type { ClusterName, Tags } from '../tags.ts';
import type { Ec2Network, Ec2NetworkReads } from './api.ts';
import type { DesiredInput } from './desired-input.ts';
import type { Filter } from './filters.ts';
import type { DesiredNetwork, NetworkAction, NetworkCondition, NetworkPlan, ObservedNetwork } from './model.ts';
import type { NetworkCall, NetworkFailure } from './reasons.ts';
import type { Situation } from './situation.ts';
import type { ResourceKind } from './tags/model.ts';
import type { ObservedVpc } from './vpc/model.ts';

/**
 * The code for one kind of resource of a network. Each kind has a folder with its driver. `model.ts` contains its types
 * and `api.ts` its calls to EC2 (the only file that uses the SDK). `desired.ts`, `plan.ts` and `take-down.ts` make the
 * decisions, and `driver.ts` combines them. drivers.ts lists all drivers.
 */

/** One kind of action: how it is carried out, and what it means for a network that was complete. */
export interface Operation<Action> {
  /** The part of the event's reason after Successful or Failed. */
  reason: NetworkCall;
  /** Makes the call. A creation returns the id. */
  call(ec2: Ec2Network, action: Action): Promise<unknown>;
  /** A sentence about what was done, for the event. */
  tell(action: Action, id: string): string;
  /** The kind of drift that it repairs, if it is planned for a network that was complete. */
  drift: DriftKind;
  /** A sentence, without its full stop, about the change by others. If omitted, the resource is missing. */
  drifted?(action: Action): string;
  /** The condition to which it belongs, if that is not the driver's. */
  conditionOf?(action: Action): NetworkCondition;
}

export type Operations<A extends { type: string }> = {
  readonly [T in A['type']]: Operation<Extract<A, { type: T }>>;
};

/** The condition of the AWSCluster about the resource. Its type and its reasons are upstream's. */
export interface DriverCondition {
  type: NetworkCondition;
  /** The reason if AWS refuses something permanently. */
  failed: NetworkFailure;
  /** False if this cluster has no such resource, so that no condition is set. If omitted, every cluster has it. */
  isAskedFor?(desired: DesiredNetwork): boolean;
  /** The number that remain during a deletion; undefined if it is not reported. */
  remaining(observed: ObservedNetwork): number | undefined;
}

/** The input for a driver's reads. */
export interface View {
  cluster: ClusterName;
  /** `deletion` reads more: the spec may have contained more before. */
  purpose: 'creation' | 'deletion';
  spec: AWSCluster['spec'] | undefined;
  /** Ids that the spec contains; the resources may be in another VPC. */
  named: { subnets: readonly string[]; securityGroups: readonly string[] };
  /** The filter for resources with the cluster's tag. */
  byTag: Filter;
  /** All relevant VPCs, and those among them that are the cluster's own. */
  vpcIds: readonly string[];
  ownVpcIds: readonly string[];
}

/**
 * When a driver reads. `first`: as soon as the VPCs are known. `then`: with the results of `first`. `last`: with all
 * results. The reads of a stage run concurrently.
 */
export type Stage = 'first' | 'then' | 'last';

interface Observer<Seen> {
  stage: Stage;
  look(ec2: Ec2NetworkReads, view: View, seen: Pick<ObservedNetwork, 'subnets' | 'securityGroups'>): Promise<Seen>;
}

/** The input that determines what is deleted with the cluster. */
export interface Belonging {
  isInside(thing: { vpcId: string }): boolean;
  isOurs(thing: { tags: Tags }): boolean;
}

/** The observed resources that are recorded in the AWSCluster. */
export interface Found {
  desired: DesiredNetwork;
  observed: ObservedNetwork;
  vpc: ObservedVpc;
  /** False for a user's VPC. */
  isOwn: boolean;
}

/** The cluster's own part. */
export interface TakeDownSituation {
  cluster: ClusterName;
  /** Everything that was observed. */
  observed: ObservedNetwork;
  /** What can be deleted now, and what blocks the other resources, by id. */
  all: ObservedNetwork;
}

/** What can be deleted now, and what blocks the rest, by id. */
export interface TakeDownPlan {
  actions: readonly NetworkAction[];
  blockers: readonly string[];
}

type Read = keyof Ec2NetworkReads;

/** The reads whose responses are cached. */
export interface DriverCache {
  /** Responses that show that something will soon change by itself. */
  reads?: readonly Read[];
  /** The reads that each write may affect. A write that is in neither list may affect all of them. */
  passing?: PortCacheOptions<Ec2Network>['passing'];
  /** Writes whose complete effects on reads can be derived from their requests. */
  invalidates?: PortCacheOptions<Ec2Network>['invalidates'];
  /**
   * The IAM actions of EC2 (without `ec2:`) that the driver needs. The simulation of IAM checks that they match the
   * calls.
   */
  updates?: CacheUpdates<Ec2Network>;
}

/** Reads, which EC2 cannot restrict to resources. */
export interface DriverRights {
  /** Reads, which EC2 limits to no resource. */
  reads?: readonly string[];
  /** Creations, which set the cluster's tags. */
  swept?: readonly string[];
  /** Changes and deletions of resources with the cluster's tags. */
  creates?: readonly string[];
  /** Changes and deletions of resources with the cluster's tags. */
  changes?: readonly string[];
  /** Other resources to which an action refers: types in ARNs, by action. */
  types?: readonly string[];
  /** The type of the resource in actions on tags. */
  refersTo?: Readonly<Record<string, readonly string[]>>;
}

export interface Driver<Action extends NetworkAction, Seen = object, Wanted = object> {
  /** How actions on tags name it. */
  kind?: ResourceKind;
  condition?: DriverCondition;
  /**
   * The step that creates it; `both` if it depends on the results of both. If omitted, it is not planned separately.
   */
  step?: 'network' | 'natGateways' | 'both';
  /** The desired part of the spec. */
  desired?(input: DesiredInput): Wanted;
  observe?: Observer<Seen>;
  /** The part of it that is deleted with the cluster. */
  ownPart?(observed: ObservedNetwork, belonging: Belonging): Seen;
  /** What must be done now in one of the cluster's VPCs. */
  plan?(situation: Situation, vpcId: string): NetworkPlan;
  takeDown?(situation: TakeDownSituation): TakeDownPlan;
  /** The VPCs that cannot be deleted because of it. */
  inhabits?(observed: ObservedNetwork): readonly string[];
  /** Records what was found in the fields in which upstream stores it. */
  record?(awsCluster: AWSCluster, found: Found): AWSCluster;
  operations: Operations<Action>;
  cache?: DriverCache;
  rights?: DriverRights;
}

/** Any driver: its actions belong to the list that contains it. */
export type AnyDriver = Omit<Driver<NetworkAction>, 'operations'> & {
  operations: Readonly<Record<string, Operation<NetworkAction>>>;
};
