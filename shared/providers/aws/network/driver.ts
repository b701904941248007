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
 * What there is to know of one kind of resource of a network. Each has a folder with its driver: `model.ts` has its
 * types, `api.ts` its calls to EC2 (the only file that knows the SDK), `desired.ts`, `plan.ts` and `take-down.ts` decide,
 * and `driver.ts` ties them together. drivers.ts lists them all.
 */

/** One kind of action: how it is carried out, and what it says of a network that was complete. */
export interface Operation<Action> {
  /** What follows Successful or Failed in the reason of the event. */
  reason: NetworkCall;
  /** The call. A creation gives the id. */
  call(ec2: Ec2Network, action: Action): Promise<unknown>;
  /** What was done, for the event. */
  tell(action: Action, id: string): string;
  /** What kind of drift it repairs, when it is planned for a network that was complete. */
  drift: DriftKind;
  /** The outside change, as a sentence without its end; if omitted, that the resource is missing. */
  drifted?(action: Action): string;
  /** The condition that it belongs to, if it is not the driver's. */
  conditionOf?(action: Action): NetworkCondition;
}

export type Operations<A extends { type: string }> = {
  readonly [T in A['type']]: Operation<Extract<A, { type: T }>>;
};

/** The condition of the AWSCluster about the resource. Its type and its reasons are upstream's. */
export interface DriverCondition {
  type: NetworkCondition;
  /** The reason when AWS refuses something permanently. */
  failed: NetworkFailure;
  /** False if this cluster has none of it, so that no condition is set. Omitted: every cluster has it. */
  isAskedFor?(desired: DesiredNetwork): boolean;
  /** How many remain during a deletion; undefined: not reported. */
  remaining(observed: ObservedNetwork): number | undefined;
}

/** The input of a driver's reads. */
export interface View {
  cluster: ClusterName;
  /** `deletion` reads more: the spec may have contained more before. */
  purpose: 'creation' | 'deletion';
  spec: AWSCluster['spec'] | undefined;
  /** Ids that the spec names, which may be of another VPC. */
  named: { subnets: readonly string[]; securityGroups: readonly string[] };
  /** The filter for what carries the cluster's tag. */
  byTag: Filter;
  /** All relevant VPCs, and those of them that are the cluster's own. */
  vpcIds: readonly string[];
  ownVpcIds: readonly string[];
}

/**
 * When a driver reads. `first`: as soon as the VPCs are known. `then`: with the results of `first`. `last`: with all
 * results. Those of a stage run in parallel.
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

/** What was found and is written into the AWSCluster. */
export interface Found {
  desired: DesiredNetwork;
  observed: ObservedNetwork;
  vpc: ObservedVpc;
  /** False for a user's VPC. */
  isOwn: boolean;
}

/** A network that is taken down. */
export interface TakeDownSituation {
  cluster: ClusterName;
  /** The cluster's own part. */
  observed: ObservedNetwork;
  /** All that was seen. */
  all: ObservedNetwork;
}

/** What can be deleted now, and what blocks the rest, by id. */
export interface TakeDownPlan {
  actions: readonly NetworkAction[];
  blockers: readonly string[];
}

type Read = keyof Ec2NetworkReads;

/** The cached reads, for the next rounds and passes. */
export interface DriverCache {
  /** The reads whose answers are kept. */
  reads?: readonly Read[];
  /** Answers that say what will change by itself soon. */
  passing?: PortCacheOptions<Ec2Network>['passing'];
  /** Which of them each write may change; one that is in neither list may change all. */
  invalidates?: PortCacheOptions<Ec2Network>['invalidates'];
  /** For writes whose whole effect on reads follows from their request. */
  updates?: CacheUpdates<Ec2Network>;
}

/** The IAM actions of EC2 (without `ec2:`) that the driver needs. The simulation of IAM holds them to what is called. */
export interface DriverRights {
  /** Reads, which EC2 limits to no resource. */
  reads?: readonly string[];
  /** The reads that the sweep also makes. */
  swept?: readonly string[];
  /** Creations, which carry the cluster's tags. */
  creates?: readonly string[];
  /** Changes and deletions of resources with the cluster's tags. */
  changes?: readonly string[];
  /** Types in the ARNs of created resources. */
  types?: readonly string[];
  /** What an action names besides: types in ARNs, by action. */
  refersTo?: Readonly<Record<string, readonly string[]>>;
}

export interface Driver<Action extends NetworkAction, Seen = object, Wanted = object> {
  /** How actions on tags name it. */
  kind?: ResourceKind;
  condition?: DriverCondition;
  /** The step that creates it; `both` if it depends on the results of both. Omitted: it is not planned separately. */
  step?: 'network' | 'natGateways' | 'both';
  /** The desired part of the spec. */
  desired?(input: DesiredInput): Wanted;
  observe?: Observer<Seen>;
  /** What of it goes with the cluster. */
  ownPart?(observed: ObservedNetwork, belonging: Belonging): Seen;
  /** What is to be done now in a VPC of the cluster's. */
  plan?(situation: Situation, vpcId: string): NetworkPlan;
  takeDown?(situation: TakeDownSituation): TakeDownPlan;
  /** The VPCs that it keeps from being deleted. */
  inhabits?(observed: ObservedNetwork): readonly string[];
  /** Writes what was found into the fields in which upstream keeps it. */
  record?(awsCluster: AWSCluster, found: Found): AWSCluster;
  operations: Operations<Action>;
  cache?: DriverCache;
  rights?: DriverRights;
}

/** A driver among others: its actions are those of the list that contains it. */
export type AnyDriver = Omit<Driver<NetworkAction>, 'operations'> & {
  operations: Readonly<Record<string, Operation<NetworkAction>>>;
};
