/** The rules for changes to the machines of a control plane. Each returns a violation, or nothing. */
import type { Machine } from '../../../shared/kinds/index.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import { isServing, takesWrites } from './workload.ts';
import type { World } from './world.ts';

const isDeleting = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;

/** Whether the machine's etcd member is dead, so that removing it can only improve etcd. */
const isSilent = ({ workload }: World, { status }: Machine): boolean =>
  workload.etcd?.members().some(({ name, alive }) => name === status?.nodeRef?.name && !alive) === true;

/** Whether no remaining machine has a node that responds. Machines that are being deleted wait for such a node. */
const servesNobody = ({ workload }: World, machines: readonly Machine[]): boolean =>
  machines.every((machine) => isDeleting(machine) || !workload.nodes.get(machine.status?.nodeRef?.name ?? '')?.alive);

/** Whether a machine may still become a node, according to its health checks. */
const isJoining = ({ status }: Machine): boolean =>
  !status?.nodeRef && findCondition(status?.conditions, 'HealthCheckSucceeded')?.status !== 'False';

/**
 * Finds changes to the machines of an initialized control plane that were made together, or while another was in
 * progress. However, a machine that cannot make progress may be deleted at any time, and one may be created if all
 * others are being deleted. A machine that has failed its health check is no longer joining, and nothing waits for it.
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
  // A step may observe a node and then act, so its own knowledge counts.
  const known = (machine: Machine) => after.find(({ metadata }) => metadata.uid === machine.metadata.uid) ?? machine;
  const isUnderWay = (machine: Machine) => isDeleting(machine) || isJoining(known(machine));
  if (made.length === 0 && going.every((machine) => isSilent(world, machine))) return undefined;
  if (made.length === 0 && servesNobody(world, before)) return undefined;
  if (made.length === 1 && before.every(isDeleting)) return undefined;
  const underWay = before.find((machine) => isUnderWay(machine) && machine.metadata.uid !== going[0]?.metadata.uid);
  return underWay && `the control plane is changed while ${underWay.metadata.name} is under way`;
};

/**
 * What controllers did to the machines of a paused control plane. A machine that was already being deleted may
 * disappear.
 */
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

/** Whether a probe could find an alarm of etcd: the member of a machine with a known node would report it. */
export const showsAlarm = ({ workload }: World, before: readonly Machine[]): boolean =>
  isServing(workload) &&
  !workload.outage &&
  !takesWrites(workload) &&
  before.some((machine) => !isDeleting(machine) && workload.nodes.get(machine.status?.nodeRef?.name ?? '')?.alive);

/** A machine that was created although etcd does not accept writes. */
export const inSpiteOfAlarm = (before: readonly Machine[], after: readonly Machine[]): string | undefined => {
  const made = after.find(({ metadata }) => !before.some((one) => one.metadata.uid === metadata.uid));
  return made && `${made.metadata.name} is created although etcd has raised an alarm`;
};
