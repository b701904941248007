/** What a random change of a lifecycle is made of. */
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
  /** An integer from 0 to below `sides`. */
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

/** Where changes are made, and by whom. */
export interface Place {
  world: World;
  user: User;
  /** Clients of a person who has the account's permissions. */
  autoScaling: AutoScalingClient;
  ec2: EC2Client;
  elb: ElasticLoadBalancingClient;
  elbv2: ElasticLoadBalancingV2Client;
  /** What there was of the network before the first change (`foundationOf`). */
  readonly foundation: string;
  /** The load balancers before the first change (`endpointOf`). */
  readonly endpoint: string;
  /** The additional listeners of the API's load balancer before the first change. */
  readonly listeners: Listeners;
  /** The objects before the first change that others refer to (`referredObjects`). */
  readonly referred: readonly string[];
  /** Instances of the pool may be of types that it no longer names: nothing replaces them for that reason. */
  hasMixedTypes: boolean;
  /** The story has no pool, or a user has deleted it or its infrastructure. */
  mayLackPool: boolean;
  /** Something of a user is in progress that needs the names of copies. */
  isCopying: boolean;
  /** Windlass makes load balancers and routes for the created cluster. */
  readonly hasDuties: boolean;
  readonly state: { hasTwin: boolean };
  /** Causes a fault that lasts a while. */
  happen(kind: HappeningKind): void;
  /** Begins work of a user that goes on during other changes. */
  begin(work: () => Promise<void>): void;
  wait(milliseconds: number): Promise<void>;
}

/** Makes a change; returns its description, or nothing if it is not possible now. */
export type Change = (place: Place, dice: Dice) => Promise<string | undefined>;

const isLive = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

/** The objects of a kind that are not being deleted. */
export const live = async <T extends KubeObject>({ user }: Pick<Place, 'user'>, kind: string): Promise<T[]> =>
  (await user.list<T>(kind)).filter(isLive);

/** The machines that something replaces: of the MachineDeployment and of the MachinePool. */
export const liveWorkers = async (place: Pick<Place, 'user'>): Promise<Machine[]> =>
  (await live<Machine>(place, 'Machine')).filter((machine) => !isControlPlane(machine));

/** Adds an annotation, or removes it if the object has it. Returns what was done. */
export const toggle = async (
  { user }: Pick<Place, 'user'>,
  { kind, metadata }: KubeObject,
  annotation: string,
): Promise<string> => {
  const has = metadata.annotations?.[annotation] !== undefined;
  await user.patch(kind, metadata.name, { metadata: { annotations: { [annotation]: has ? null : '' } } });
  return `${has ? 'removes' : 'adds'} ${annotation} ${has ? 'from' : 'to'} ${kind} ${metadata.name}`;
};
