/** The rules by which a control plane's machines are changed. Each returns what violates it, or nothing. */
import type { Machine } from '../../../shared/kinds/index.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import { isServing, takesWrites } from './workload.ts';
import type { World } from './world.ts';

const isDeleting = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;

/** Whether a machine's member of etcd is dead, so that its removal can only improve etcd. */
const isSilent = ({ workload }: World, { status }: Machine): boolean =>
  workload.etcd?.members().some(({ name, alive }) => name === status?.nodeRef?.name && !alive) === true;

/** Whether no machine that stays has a node that responds: those that leave wait for one. */
const servesNobody = ({ workload }: World, machines: readonly Machine[]): boolean =>
  machines.every((machine) => isDeleting(machine) || !workload.nodes.get(machine.status?.nodeRef?.name ?? '')?.alive);

/** Whether a machine may still become a node, as far as health checks have reported. */
const isJoining = ({ status }: Machine): boolean =>
  !status?.nodeRef && findCondition(status?.conditions, 'HealthCheckSucceeded')?.status !== 'False';

/**
 * Changes of a formed control plane's machines that were made together, or while another was in progress; but a machine
 * that cannot make progress may be deleted at any time, and one is made if all others are being deleted. One that a
 * health check has given up no longer joins, and nothing waits for it.
 */
export const oneAtATime = (world: World, before: readonly Machine[], after: readonly Machine[]): string | undefined => {
  const names = new Set(before.map(({ metadata }) => metadata.uid));
  const made = after.filter(({ metadata }) => !names.has(metadata.uid));
  const going = after.filter(
    (machine) => isDeleting(machine) && !before.some((b) => b.metadata.uid === machine.metadata.uid && isDeleting(b)),
  );
  const changed = made.length + going.length;
  if (changed === 0) return undefined;
  if (changed > 1) return `${changed} control plane machines are changed at once`;
  // A step may act after it has observed a node: what counts is what it knew.
  const known = (machine: Machine) => after.find(({ metadata }) => metadata.uid === machine.metadata.uid) ?? machine;
  const isUnderWay = (machine: Machine) => isDeleting(machine) || isJoining(known(machine));
  if (made.length === 0 && going.every((machine) => isSilent(world, machine))) return undefined;
  if (made.length === 0 && servesNobody(world, before)) return undefined;
  if (made.length === 1 && before.every(isDeleting)) return undefined;
  const underWay = before.find((machine) => isUnderWay(machine) && machine.metadata.uid !== going[0]?.metadata.uid);
  return underWay && `the control plane is changed while ${underWay.metadata.name} is under way`;
};

/** What controllers did to the machines of a paused control plane; one that was being deleted may disappear. */
export const whileHeld = (before: readonly Machine[], after: readonly Machine[]): string | undefined => {
  const [had, has] = [before, after].map((machines) => new Map(machines.map((one) => [one.metadata.uid, one])));
  const made = after.find(({ metadata }) => !had?.has(metadata.uid));
  const gone = before.find(({ metadata }) => {
    const now = has?.get(metadata.uid);
    return !metadata.deletionTimestamp && (now === undefined || isDeleting(now));
  });
  const changed = made ?? gone;
  return changed && `${changed.metadata.name} is created or deleted although the control plane is paused`;
};

/** Whether a probe could find an alarm of etcd: the member of a machine that is known to be a node would report it. */
export const showsAlarm = ({ workload }: World, before: readonly Machine[]): boolean =>
  isServing(workload) &&
  !workload.outage &&
  !takesWrites(workload) &&
  before.some((machine) => !isDeleting(machine) && workload.nodes.get(machine.status?.nodeRef?.name ?? '')?.alive);

/** A machine that was created although etcd accepts no writes. */
export const inSpiteOfAlarm = (before: readonly Machine[], after: readonly Machine[]): string | undefined => {
  const made = after.find(({ metadata }) => !before.some((one) => one.metadata.uid === metadata.uid));
  return made && `${made.metadata.name} is created although etcd has raised an alarm`;
};
