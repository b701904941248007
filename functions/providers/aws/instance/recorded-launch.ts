import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSMachine, kinds } from '../../../../shared/kinds/index.ts';
import { isOverdue } from '../../../../shared/plan/machines/waiting.ts';
import {
  type Candidate,
  type CapacityRefusal,
  candidates,
  leastRecentlyRefused,
  nextCandidate,
  recent,
  takesCommonCapacity,
} from '../../../../shared/providers/aws/plan/launch/candidates.ts';
import {
  lastSent,
  type RecordedLaunch,
  readRecordedLaunch,
  unansweredSince,
  withRecordedLaunch,
} from '../../../../shared/providers/aws/plan/launch/recorded.ts';
import type { LaunchRequest } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { decideRequest, findPlaces, type LaunchObjects, profileRefusal } from './decide.ts';
import type { InstanceDependencies } from './dependencies.ts';
import { findByUid } from './find-made-elsewhere.ts';
import { recorder } from './reasons.ts';

/** A recorded launch that still has to be made. */
export type DecidedLaunch = RecordedLaunch & { request: LaunchRequest };

/** A launch that this run sends next, with the machine on which it is recorded. */
export interface DueLaunch {
  launch: DecidedLaunch;
  infrastructure: AWSMachine;
  /** RFC 3339: when it was last sent before, if EC2 has not answered; undefined if this run's attempt is the first. */
  openSince: string | undefined;
}

const isDecided = (launch: RecordedLaunch | undefined): launch is DecidedLaunch => launch?.request !== undefined;

/** Whether no other run has decided, sent or given up the launch that was read. */
const isSame = (stored: RecordedLaunch | undefined, before: RecordedLaunch | undefined): boolean =>
  (stored?.attempt ?? 0) === (before?.attempt ?? 0) &&
  isDecided(stored) === isDecided(before) &&
  stored?.sentAt === before?.sentAt &&
  stored?.isAnswered === before?.isAnswered;

/**
 * Replaces the recorded launch that was read. If another run was faster, its record is returned instead, even if it
 * includes an instance: another request would launch a second one.
 */
const write = async (
  { objects }: InstanceDependencies,
  { machine, infrastructure }: LaunchObjects,
  before: RecordedLaunch | undefined,
  launch: RecordedLaunch,
): Promise<{ infrastructure: AWSMachine; isOurs: boolean }> => {
  let isOurs = false;
  const key = { namespace: machine.metadata.namespace ?? '', name: infrastructure.metadata.name };
  const change = (current: AWSMachine) => {
    isOurs = !current.spec.instanceID && isSame(readRecordedLaunch(current), before);
    return isOurs ? withRecordedLaunch(current, launch) : undefined;
  };
  // If a request is given up, the machine is read again: another run may have recorded an instance from it.
  const from = isDecided(launch) ? { from: infrastructure } : {};
  const written = await objects.mutate(kinds.awsMachine, key, change, from);
  if (!written) throw new MissingReferenceError(`AWSMachine ${infrastructure.metadata.name} is gone`);
  return { infrastructure: written, isOurs };
};

/** The next candidates for the machine. After a refusal, only those that the refusal does not exclude. */
const choose = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  refused: readonly CapacityRefusal[],
  isFirst: boolean,
): Promise<Candidate | undefined> => {
  const { machine, infrastructure } = objects;
  const now = deps.clock.now();
  const all = candidates(machine, infrastructure, await findPlaces(deps, objects));
  const others = takesCommonCapacity(infrastructure) ? deps.capacity.recall(now) : [];
  const refusals = [...recent(refused, now), ...others];
  const next = nextCandidate(all, infrastructure, refusals);
  return next ?? (isFirst ? leastRecentlyRefused(all, infrastructure, refusals) : undefined);
};

/** Retries at shorter intervals write nothing: the wait for an instance to appear is longer. */
const SENT_LATELY_SECONDS = 30;

/** The recorded launch. One that another run has recorded or sent may have an instance. */
const due = (infrastructure: AWSMachine, ours: { openSince: string | undefined } | undefined): DueLaunch => {
  const launch = readRecordedLaunch(infrastructure);
  if (!isDecided(launch)) throw new MissingReferenceError('another run withdrew the launch');
  return { launch, infrastructure, openSince: ours ? ours.openSince : lastSent(launch) };
};

/** Records that a launch that was decided some time ago is sent again: its instance may be new. */
const renewed = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  launch: DecidedLaunch,
): Promise<DueLaunch> => {
  const now = deps.clock.now();
  const openSince = unansweredSince(launch);
  if (openSince && !isOverdue(openSince, SENT_LATELY_SECONDS, now)) return due(objects.infrastructure, { openSince });
  const { isAnswered: _answered, ...rest } = launch;
  const { infrastructure, isOurs } = await write(deps, objects, launch, { ...rest, sentAt: now.toISOString() });
  return due(infrastructure, isOurs ? { openSince } : undefined);
};

/**
 * Checks again whether a request that was decided some time ago may be sent: it may have waited for a quota for hours,
 * while an administrator has withdrawn its instance profile. A request that already has an instance is sent, because it
 * only returns the instance. Throws Refused.
 */
const checkStillPermitted = async (
  deps: InstanceDependencies,
  { machine }: LaunchObjects,
  launch: DecidedLaunch,
): Promise<void> => {
  if (!isOverdue(lastSent(launch), SENT_LATELY_SECONDS, deps.clock.now())) return;
  const problem = await profileRefusal(deps, machine, launch.request.IamInstanceProfile?.Name);
  if (problem && (await findByUid(deps, machine)).length === 0) throw new RefusedError(problem);
};

/**
 * Decides a machine's launch and records it, or returns the recorded one. Undefined if all candidates were just
 * refused, but never if `isFirst`, because a run makes at least one attempt. Throws Refused if the recorded launch is
 * no longer permitted.
 */
export const recordLaunch = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  { isFirst }: { isFirst: boolean },
): Promise<DueLaunch | undefined> => {
  const { infrastructure } = objects;
  const before = readRecordedLaunch(infrastructure);
  if (isDecided(before)) {
    await checkStillPermitted(deps, objects, before);
    return renewed(deps, objects, before);
  }
  const attempt = before?.attempt ?? 0;
  const candidate = await choose(deps, objects, before?.refused ?? [], isFirst);
  if (!candidate) return undefined;
  const { request, lookup, warning } = await decideRequest(deps, objects, candidate, attempt);
  if (warning) await recorder(deps).warning(infrastructure, 'ImageNotFound', warning);
  const written = await write(deps, objects, before, {
    at: deps.clock.now().toISOString(),
    ...(attempt > 0 ? { attempt } : {}),
    ...(candidate.place.zone ? { zone: candidate.place.zone } : {}),
    ...(before?.refused?.length ? { refused: before.refused } : {}),
    ...(lookup ? { lookup } : {}),
    request,
  });
  return due(written.infrastructure, written.isOurs ? { openSince: undefined } : undefined);
};

/** Records that EC2 has made a launch but does not show its instance. */
export const recordHidden = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  launch: DecidedLaunch,
): Promise<void> => {
  await write(deps, objects, launch, { ...launch, hiddenAt: deps.clock.now().toISOString() });
};

/**
 * Records that EC2 has answered a request and created nothing, and will be asked again. What is known about earlier
 * attempts is the same as before.
 */
export const recordAnswer = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  { launch, openSince }: DueLaunch,
): Promise<void> => {
  const { sentAt: _sent, ...rest } = launch;
  // Not removed if all is answered: how long ago it was sent decides what is checked before it is sent again.
  if (openSince === undefined) await write(deps, objects, launch, { ...launch, isAnswered: true });
  else if (openSince !== lastSent(launch))
    await write(deps, objects, launch, { ...rest, ...(openSince === launch.at ? {} : { sentAt: openSince }) });
};

/**
 * Records that the launch has failed and that it has no instance: the next request gets another client token. Also
 * records the candidates without capacity.
 */
export const releaseLaunch = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  launch: DecidedLaunch,
  refusal?: CapacityRefusal,
): Promise<AWSMachine> => {
  const refused = [...recent(launch.refused ?? [], deps.clock.now()), ...(refusal ? [refusal] : [])];
  const next = { at: launch.at, attempt: (launch.attempt ?? 0) + 1, refused };
  return (await write(deps, objects, launch, next)).infrastructure;
};
