import type { Bounds } from './bounds.ts';
import { oldestFirst, type RolloutFacts, type ScaleIntent, type SetFacts, sumOf } from './facts.ts';
import { growCurrent } from './grow-current.ts';

/** How many machines may still be deleted. The sets use this up one after the other. */
interface Room {
  /** Machines that may be deleted. */
  removable: number;
  /** Available machines in the worst case, after the deletions that were already requested. */
  available: number;
  minAvailable: number;
}

/** The lowered `spec.replicas` of old sets, by name. */
type Lowered = Map<string, ScaleIntent>;

const desiredOf = (set: SetFacts, lowered: Lowered): number => lowered.get(set.name)?.replicas ?? set.desired;

/**
 * How far one set can be scaled down if `wanted` machines should be deleted. The set itself selects the machines to be
 * deleted, so each deleted machine is counted as an available one until the set has none left.
 */
const lower = (set: SetFacts, from: number, wanted: number, room: Room): { to: number; lost: number } => {
  const to = from - wanted;
  if (set.available === 0) return { to, lost: 0 };
  const spare = Math.max(room.available - room.minAvailable, 0);
  const deleted = Math.max(set.actual - to, 0);
  if (deleted === 0) return { to, lost: 0 };
  const kept = deleted > spare ? Math.min(set.actual - spare, from) : to;
  return { to: kept, lost: Math.min(set.available, Math.max(set.actual - kept, 0)) };
};

/** Scales down the old sets in turn, each by at most `wish`, as long as there is room. */
const lowerAll = (
  sets: readonly SetFacts[],
  room: Room,
  lowered: Lowered,
  wish: (set: SetFacts, from: number) => number,
) => {
  for (const set of sets) {
    const from = desiredOf(set, lowered);
    const wanted = Math.min(wish(set, from), from, room.removable);
    if (wanted <= 0) continue;
    const { to, lost } = lower(set, from, wanted, room);
    if (to >= from) continue;
    const reason =
      lost > 0
        ? `${room.available} available machines, ${room.minAvailable} are required`
        : 'no available machine is deleted';
    lowered.set(set.name, { set: set.name, replicas: to, reason });
    room.removable -= from - to;
    room.available -= lost;
  }
};

/** Existing machines whose deletion was requested. */
const pendingRemoval = (set: SetFacts, intent: ScaleIntent | undefined): number =>
  Math.max(set.actual - Math.min(set.desired, intent?.replicas ?? set.desired), 0);

/**
 * Deletes machines of old templates: first those that are not available, then the others, the oldest set first, and
 * never so many that fewer than replicas - maxUnavailable could be available. Machines of the current template that are
 * not available slow this down: a template that creates broken machines must not replace all working ones.
 */
const shrinkOld = (facts: RolloutFacts, bounds: Bounds, grown: ScaleIntent | undefined): ScaleIntent[] => {
  const { current } = facts;
  const old = oldestFirst(facts.old);
  const all = [current, ...old];
  const minAvailable = Math.max(bounds.replicas - bounds.maxUnavailable, 0);
  const pending = sumOf(all, (set) => pendingRemoval(set, set === current ? grown : undefined));
  const broken = Math.max(current.desired - current.available, 0);
  const room: Room = {
    removable: sumOf(all, (set) => set.desired) - pending - minAvailable - broken,
    available: sumOf(all, (set) => set.available),
    minAvailable,
  };
  const lowered: Lowered = new Map();
  lowerAll(old, room, lowered, (set, from) => from - set.available);
  lowerAll(old, room, lowered, (_set, from) => from);
  return [...lowered.values()];
};

/**
 * Resolves a rollout that is stuck although everything is settled, because the remaining machines are not available but
 * the calculation counts each as available. Deletes one of them if the set would select it and no other. Machines of
 * old templates are not remediated, so nothing else would delete them.
 */
const breakDeadlock = ({ current, old }: RolloutFacts): ScaleIntent | undefined => {
  const settled = [current, ...old].every((set) => set.desired === set.actual) && current.available === current.actual;
  if (!settled) return undefined;
  const stuck = oldestFirst(old).find((set) => set.available < set.actual && set.desired > 0 && !set.losesAvailable);
  if (!stuck) return undefined;
  const reason = 'the rollout cannot continue otherwise, and it has machines that are not available';
  return { set: stuck.name, replicas: stuck.desired - 1, reason };
};

/**
 * The next step of a rolling update: which sets are scaled, and why. Pure. It is computed again after every change,
 * from the current state and not from an earlier plan. The rules are those of Cluster API's rollout planner
 * (core/reconcilers/machinedeployment/machinedeployment_rollout_rollingupdate.go).
 */
export const planRollingUpdate = (facts: RolloutFacts, bounds: Bounds): ScaleIntent[] => {
  const grown = growCurrent(facts, { replicas: bounds.replicas, limit: bounds.replicas + bounds.maxSurge });
  const lowered = shrinkOld(facts, bounds, grown);
  const intents = grown ? [grown, ...lowered] : lowered;
  if (intents.length > 0) return intents;
  const last = breakDeadlock(facts);
  return last ? [last] : [];
};
