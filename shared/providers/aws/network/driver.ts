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
  /** What someone has changed, as a sentence without its end; where it is left out, that the thing is not there any more. */
  drifted?(action: Action): string;
  /** The condition that it belongs to, where that is not the driver's. */
  conditionOf?(action: Action): NetworkCondition;
}

export type Operations<A extends { type: string }> = {
  readonly [T in A['type']]: Operation<Extract<A, { type: T }>>;
};

/** The condition of the AWSCluster that speaks of the resource. Its type and its reasons are upstream's. */
export interface DriverCondition {
  type: NetworkCondition;
  /** The reason when AWS refuses something permanently. */
  failed: NetworkFailure;
  /** False where this cluster has none of it, so that nothing is said. Left out: every cluster has it. */
  isAskedFor?(desired: DesiredNetwork): boolean;
  /** How many a deletion has left; undefined: nothing is said of it. */
  remaining(observed: ObservedNetwork): number | undefined;
}

/** What a driver looks by. */
export interface View {
  cluster: ClusterName;
  /** `deletion` looks at more: the spec may have asked for more before. */
  purpose: 'creation' | 'deletion';
  spec: AWSCluster['spec'] | undefined;
  /** Ids that the spec names, which may be of another VPC. */
  named: { subnets: readonly string[]; securityGroups: readonly string[] };
  /** The filter for what carries the cluster's tag. */
  byTag: Filter;
  /** All VPCs that matter, and those of them that are the cluster's own. */
  vpcIds: readonly string[];
  ownVpcIds: readonly string[];
}

/**
 * When a driver looks. `first`: as soon as the VPCs are known. `then`: with what `first` has seen. `last`: with all that
 * is seen. Those of a stage look side by side.
 */
export type Stage = 'first' | 'then' | 'last';

interface Observer<Seen> {
  stage: Stage;
  look(ec2: Ec2NetworkReads, view: View, seen: Pick<ObservedNetwork, 'subnets' | 'securityGroups'>): Promise<Seen>;
}

/** By what it is judged what goes with the cluster. */
export interface Belonging {
  isInside(thing: { vpcId: string }): boolean;
  isOurs(thing: { tags: Tags }): boolean;
}

/** What was found and is written into the AWSCluster. */
export interface Found {
  desired: DesiredNetwork;
  observed: ObservedNetwork;
  vpc: ObservedVpc;
  /** False for a VPC that the user brought. */
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

/** What can go now, and what stands in the way, by id. */
export interface TakeDownPlan {
  actions: readonly NetworkAction[];
  blockers: readonly string[];
}

type Read = keyof Ec2NetworkReads;

/** What is kept of what was read, for the next rounds and passes. */
export interface DriverCache {
  /** The reads whose answers are kept. */
  reads?: readonly Read[];
  /** Answers that say what will change by itself soon. */
  passing?: PortCacheOptions<Ec2Network>['passing'];
  /** Which of them each write may change; one that is in neither list may change all. */
  invalidates?: PortCacheOptions<Ec2Network>['invalidates'];
  /** For writes whose whole effect on what is read follows from what they were asked for. */
  updates?: CacheUpdates<Ec2Network>;
}

/** The IAM actions of EC2 (without `ec2:`) that the driver needs. The simulation of IAM holds them to what is called. */
export interface DriverRights {
  /** Reads, which EC2 limits to no resource. */
  reads?: readonly string[];
  /** Those of the reads that the sweep makes as well. */
  swept?: readonly string[];
  /** Creations, which carry the cluster's tags. */
  creates?: readonly string[];
  /** Changes and deletions of what carries the cluster's tags. */
  changes?: readonly string[];
  /** Types in the ARNs of what is made. */
  types?: readonly string[];
  /** What an action names besides: types in ARNs, by action. */
  refersTo?: Readonly<Record<string, readonly string[]>>;
}

export interface Driver<Action extends NetworkAction, Seen = object, Wanted = object> {
  /** How actions on tags name it. */
  kind?: ResourceKind;
  condition?: DriverCondition;
  /** The step that makes it; `both` where it follows from what both make. Left out: it is not planned by itself. */
  step?: 'network' | 'natGateways' | 'both';
  /** What the spec asks for. */
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

/** A driver among others: its actions are those of the list that it was found by. */
export type AnyDriver = Omit<Driver<NetworkAction>, 'operations'> & {
  operations: Readonly<Record<string, Operation<NetworkAction>>>;
};
