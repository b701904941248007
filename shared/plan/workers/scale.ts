import type { Machine, MachineSet } from '../../kinds/index.ts';
import type { InstanceFacts } from '../infrastructure/instance.ts';
import { ANNOTATION } from '../labels.ts';
import { freeNames } from '../names.ts';
import { inDeletionOrder } from './deletion-order.ts';
import { namingOf } from './naming.ts';
import { extraMachines, isInterrupted, withoutAwaited } from './noticed.ts';

export interface MachineSetFacts {
  set: MachineSet;
  /** The machines that count as this set's, including those being deleted. */
  machines: readonly Machine[];
  /** Names of existing machines, with any owner. */
  taken?: readonly string[];
  /** The lowest place for a new machine; see memory/used-places.ts. */
  firstPlace?: number;
  /** Their instances, by machine name. */
  instances: ReadonlyMap<string, Pick<InstanceFacts, 'gone'>>;
  /** Machines whose instance was terminated stay until they are deleted: this is the cluster's drift policy. */
  keepsLost?: boolean;
  /** A rollout replaces all machines of this set. */
  isRolledOut?: boolean;
  now: Date;
}

export interface MachineSetPlan {
  /** Names of machines to be created. */
  create: string[];
  /** Names of machines to be deleted, in order. */
  remove: string[];
  /** The machines of `remove` that are replaced because their instance is gone. */
  lost: string[];
}

/**
 * The maximum number of machines that one pass creates for a set, whatever number is requested; the next pass creates
 * more.
 */
const MOST_AT_ONCE = 500;

const isDeleting = (machine: Machine): boolean => machine.metadata.deletionTimestamp !== undefined;

/** At most `count` names for new machines of a set that are not in `taken`. `firstPlace`: see MachineSetFacts. */
export const newNames = (set: MachineSet, taken: ReadonlySet<string>, count: number, firstPlace: number): string[] =>
  freeNames({ name: set.metadata.name, uid: set.metadata.uid ?? '' }, taken, count, namingOf(set), firstPlace);

/**
 * Which machines of a set are created and deleted now. A machine that is being deleted counts until it is gone: its
 * pods may still be moving, and its place in the surge of a rollout is not free. A machine whose instance was
 * terminated outside Windlass, or will be reclaimed by the cloud within minutes, no longer counts and is replaced in
 * the same plan, so that the set lacks it only for as long as a new one takes. Other machines whose end the cloud has
 * announced are replaced one at a time, the new one first. This does not apply in a set that a rollout replaces: the
 * new machine would have the earlier template, and the rollout would wait for it.
 */
export const planMachineSetScale = ({
  set,
  machines,
  taken = [],
  firstPlace = 0,
  instances,
  keepsLost = false,
  isRolledOut = false,
  now,
}: MachineSetFacts): MachineSetPlan => {
  if (set.metadata.deletionTimestamp) {
    return { create: [], remove: machines.filter((m) => !isDeleting(m)).map((m) => m.metadata.name), lost: [] };
  }
  const desired = set.spec.replicas ?? 1;
  const isLost = ({ metadata }: Machine): boolean => !keepsLost && instances.get(metadata.name)?.gone === true;
  const lost = machines.filter((machine) => !isDeleting(machine) && isLost(machine));
  const counted = machines.filter((machine) => !isLost(machine) && !isInterrupted(machine, set));
  const interrupted = machines.filter((m) => !isDeleting(m) && !isLost(m) && isInterrupted(m, set));
  const kept = counted.filter((machine) => !isDeleting(machine));
  const leaving = counted.length - kept.length;
  const inOrder = inDeletionOrder(set, kept, now, isRolledOut);
  const extra = isRolledOut ? 0 : extraMachines(set, kept);
  const over = inOrder.slice(0, Math.max(0, kept.length - desired));
  const surplus = isRolledOut ? over : withoutAwaited(set, kept, over);
  const names = new Set([...taken, ...machines.map((machine) => machine.metadata.name)]);
  const lostNames = lost.map((machine) => machine.metadata.name);
  const makesNone = set.metadata.annotations?.[ANNOTATION.disableMachineCreate] === 'true';
  const missing = makesNone ? 0 : Math.min(MOST_AT_ONCE, Math.max(0, desired + extra - kept.length - leaving));
  return {
    create: newNames(set, names, missing, firstPlace),
    remove: [...lostNames, ...[...interrupted, ...surplus].map((machine) => machine.metadata.name)],
    lost: lostNames,
  };
};
