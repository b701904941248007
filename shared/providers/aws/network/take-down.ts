import type { ClusterName } from '../tags.ts';
import type { AnyDriver, TakeDownPlan, TakeDownSituation } from './driver.ts';
import { DRIVERS, ONLY_OF_THE_CLUSTER, TAKE_DOWN_ORDER } from './drivers.ts';
import { guestsIn } from './guests.ts';
import { type Intents, isFresh } from './intents.ts';
import type { NetworkAction, ObservedNetwork } from './model.ts';
import { describeInterface } from './network-interfaces/describe.ts';
import { ownPart } from './own-part.ts';
import { join } from './parts.ts';
import { madeGroups } from './security-groups/take-down.ts';
import { planUnsharing } from './users-vpc/shared-tags.ts';
import { isOwnVpc } from './vpc/choose.ts';
import { takeDownVpcs } from './vpc/take-down.ts';

/**
 * Deletes a network from any state. With each snapshot, everything is deleted that can be deleted now. The rest waits
 * for the next one, and resources that are not ours are reported.
 */

interface DeletionSituation {
  cluster: ClusterName;
  observed: ObservedNetwork;
  intents: Intents;
  now: Date;
}

export interface DeletionPlan {
  actions: readonly NetworkAction[];
  /** What blocks the deletion, by id, and what will disappear on its own. */
  blockers: readonly string[];
  isDone: boolean;
}

/**
 * Removes the tags that we have set on the user's resources. If that is not permitted, an event reports it, and the
 * deletion does not wait.
 */
const untag = ({ cluster, observed }: DeletionSituation): readonly NetworkAction[] => {
  const strangers = observed.vpcs.filter((vpc) => !isOwnVpc(cluster, vpc)).map(({ id }) => id);
  return planUnsharing(
    cluster,
    observed.subnets.filter(({ vpcId }) => strangers.includes(vpcId)),
  );
};

const takeDown = (situation: TakeDownSituation, order: readonly AnyDriver[]): TakeDownPlan =>
  join(order.map((driver) => driver.takeDown?.(situation) ?? { actions: [], blockers: [] }));

/**
 * Deletes parts of the network. If other clusters use it, it cannot be deleted completely, and they need its gateways
 * and routes. Upstream deletes these before it finds that the subnets are in use.
 */
const takeDownParts = (situation: TakeDownSituation): TakeDownPlan => {
  const guests = guestsIn(situation.cluster, situation.observed);
  if (guests.length > 0) {
    const { actions } = takeDown(situation, ONLY_OF_THE_CLUSTER);
    const blockers = guests.map((guest) => `${guest}, which uses this VPC with its gateways and routes`);
    return { actions, blockers };
  }
  const { actions, blockers } = takeDown(situation, TAKE_DOWN_ORDER);
  return { actions, blockers: [...blockers, ...situation.observed.networkInterfaces.map(describeInterface)] };
};

/**
 * What can be deleted now: only resources with the cluster's tag. From a user's VPC, only our security groups and tags
 * are removed. A creation with a fresh intent may still become visible, so the deletion waits for it.
 */
export const planDeletion = (whole: DeletionSituation): DeletionPlan => {
  const { cluster, intents, now, observed: all } = whole;
  const observed = ownPart(cluster, all);
  const situation = { cluster, observed, all };
  const { actions: parts, blockers } = takeDownParts(situation);
  const inhabited = new Set(DRIVERS.flatMap((driver) => driver.inhabits?.(observed) ?? []));
  const actions = [...parts, ...takeDownVpcs(observed, inhabited)];
  const fresh = Object.keys(intents).filter((key) => isFresh(intents[key], now));
  const waiting = fresh.map((key) => `${key}, which was requested a moment ago and may still appear`);
  const groups = madeGroups(observed);
  const isEmpty = observed.vpcs.length + groups.length + actions.length + blockers.length === 0;
  return {
    actions: [...actions, ...untag(whole)],
    blockers: [...blockers, ...waiting],
    isDone: isEmpty && fresh.length === 0,
  };
};
