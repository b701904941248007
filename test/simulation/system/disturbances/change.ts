/** The parts of a random change in a lifecycle. */
import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import type { HappeningKind } from '../faults/kinds.ts';
import { isControlPlane } from '../machine-order.ts';
import type { User } from '../user.ts';
import type { World } from '../world.ts';

/** Random numbers from a seed. */
export interface Dice {
  /** An integer from 0 to `sides` - 1. */
  roll(sides: number): number;
  one<Item>(items: readonly Item[]): Item | undefined;
}

export const diceOf = (seed: number): Dice => {
  const next = seededNumbers(seed);
  return {
    roll: (sides) => Math.floor(next() * sides),
    one: (items) => items[Math.floor(next() * items.length)],
  };
};

/** The additional listeners of a load balancer. */
export type Listeners = readonly { port: number }[];

/** The parts of the system that changes use. */
export interface Place {
  world: World;
  user: User;
  /** Clients with the permissions of an administrator of the account. */
  autoScaling: AutoScalingClient;
  ec2: EC2Client;
  elb: ElasticLoadBalancingClient;
  elbv2: ElasticLoadBalancingV2Client;
  /** The network before the first change (`foundationOf`). */
  readonly foundation: string;
  /** The load balancers before the first change (`endpointOf`). */
  readonly endpoint: string;
  /** The additional listeners of the API's load balancer before the first change. */
  readonly listeners: Listeners;
  /** The objects, before the first change, to which others refer (`referredObjects`). */
  readonly referred: readonly string[];
  /** The pool may have instances of types that it no longer names, because nothing replaces them for this reason. */
  hasMixedTypes: boolean;
  /** The story has no pool, or a user has deleted it or its infrastructure. */
  mayLackPool: boolean;
  /** A change that needs the names of copies is in progress. */
  isCopying: boolean;
  /** Windlass creates load balancers and routes for the workload cluster. */
  readonly hasDuties: boolean;
  readonly state: { hasTwin: boolean };
  /** Causes a fault that lasts for some time. */
  happen(kind: HappeningKind): void;
  /** Starts work of a user that continues during other changes. */
  begin(work: () => Promise<void>): void;
  wait(milliseconds: number): Promise<void>;
}

/** Makes a change. Returns its description, or nothing if it is impossible now. */
export type Change = (place: Place, dice: Dice) => Promise<string | undefined>;

const isLive = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

/** The objects of a kind that are not being deleted. */
export const live = async <T extends KubeObject>({ user }: Pick<Place, 'user'>, kind: string): Promise<T[]> =>
  (await user.list<T>(kind)).filter(isLive);

/** The machines that are not in the control plane and are not being deleted. */
export const liveWorkers = async (place: Pick<Place, 'user'>): Promise<Machine[]> =>
  (await live<Machine>(place, 'Machine')).filter((machine) => !isControlPlane(machine));

/** Adds an annotation, or removes it if the object has it. Returns a description. */
export const toggle = async (
  { user }: Pick<Place, 'user'>,
  { kind, metadata }: KubeObject,
  annotation: string,
): Promise<string> => {
  const has = metadata.annotations?.[annotation] !== undefined;
  await user.patch(kind, metadata.name, { metadata: { annotations: { [annotation]: has ? null : '' } } });
  return `${has ? 'removes' : 'adds'} ${annotation} ${has ? 'from' : 'to'} ${kind} ${metadata.name}`;
};
