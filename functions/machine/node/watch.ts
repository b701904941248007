import { isRetried } from '../../../shared/aws/errors.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { Log } from '../../../shared/log.ts';
import { secondsToFirstLook, shortestBoot } from '../../../shared/plan/machines/boot-time.ts';
import { isOverdue } from '../../../shared/plan/machines/waiting.ts';
import { safeReason } from '../../../shared/safe-reason.ts';
import type { NodeWatch } from '../../../shared/store/work/node-watch.ts';
import type { MachineInput, MachineRef, WatchResult } from '../../../shared/work/payloads.ts';
import { readClusterObject } from '../../cluster/snapshot.ts';
import type { StepContext } from '../../step.ts';
import { clusterOf, readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { type Awaited, type Look, lookAt, recordLook } from './look.ts';

/**
 * While a machine is expected at any moment, an invocation polls twice, because a workflow cannot wait for less than a
 * second.
 */
const SECOND_LOOK_MILLISECONDS = 500;

/** The history of an execution is limited; after this time another one continues. */
const LONGEST_WATCH_SECONDS = 30 * 60;

/** If the next poll is this close, a new machine does not need an earlier one, so no earlier poll is recorded. */
const NEAR_SECONDS = 5;

/**
 * An execution can pass on 256 KiB, and fails without a report if a result is larger. The other machines are still
 * awaited, and the next poll returns them one second later, so that `finishWatched` gets enough time for each of them.
 */
const MOST_FINISHED = 200;
const NEXT_FINISHED_SECONDS = 1;

/** The lease of the watch is extended only when it is about to expire, not at each poll. */
const LEASE_LEFT_MS = 90_000;

const ENDED: WatchResult = { progress: 'done', waitSeconds: 0, finished: [], anyFinished: false };

/**
 * Polls for the nodes of all awaited machines in the cluster, and returns the finished machines, whose nodes are ready.
 * Ends when no machine is awaited any more.
 */
export const watchNodes =
  (deps: NodeDependencies) =>
  async (input: MachineInput, { log }: StepContext): Promise<WatchResult> => {
    const first = await lookOnce(deps, input, log);
    if (first.progress !== 'wait' || first.waitSeconds > 1 || first.anyFinished) return first;
    await deps.clock.sleep(SECOND_LOOK_MILLISECONDS);
    return lookOnce(deps, input, log);
  };

const lookOnce = async (deps: NodeDependencies, { machine: ref, holder }: MachineInput, log: Log) => {
  const { objects, work, touch } = deps;
  const cluster = clusterOf(ref);
  const [watch, all, object = null] = await Promise.all([
    work.nodeWatch(cluster),
    objects.listOfCluster(kinds.machine, ref.namespace, ref.clusterName),
    readClusterObject(objects, cluster),
  ]);
  if (watch.holder !== holder) return ENDED;
  const machines = awaitedOf(deps, ref, all, watch.awaited);
  let isHandedBack = false;
  const { judged: seen, nodes } = await lookAt(deps, { cluster: object, machines, log }, async (one, ask) => {
    try {
      const observation = await ask();
      const look = observation && (await recordLook(deps, one, { observation, cluster: object }));
      return { ref: one.ref, look };
    } catch (error) {
      if (isRetried(error)) throw error;
      log.error('a machine is handed back to its own execution', { name: one.ref.name, reason: safeReason(error) });
      isHandedBack = true;
      return { ref: one.ref, look: undefined };
    }
  });
  // The others are deleted, gone or not to be checked: the next pass starts again with those that are still needed.
  const kept = new Set(seen.flatMap(({ ref: own, look }) => (look ? [own.uid] : [])));
  await work.leaveNodeWatch(
    cluster,
    [...watch.awaited].filter((uid) => !kept.has(uid)),
  );
  if (isHandedBack || seen.some(({ look }) => look?.isNews)) await touch(cluster);
  const settled = seen.flatMap(({ ref: { name, uid }, look }) => (look?.state === 'settled' ? [{ name, uid }] : []));
  const finished = settled.slice(0, MOST_FINISHED);
  const rest = settled.length > finished.length ? [NEXT_FINISHED_SECONDS] : [];
  const waits = [...waitsOf(seen, shortestBoot(all, nodes), deps.clock.now()), ...rest];
  return { ...(await goOn(deps, ref, holder, watch, waits)), finished, anyFinished: finished.length > 0 };
};

/** The awaited machines that exist and are not being deleted. */
const awaitedOf = (
  { objects }: NodeDependencies,
  ref: MachineRef,
  machines: readonly Machine[],
  awaited: ReadonlySet<string>,
): Awaited[] =>
  machines.flatMap((machine) => {
    const { name, uid = '', deletionTimestamp } = machine.metadata;
    if (!awaited.has(uid) || deletionTimestamp) return [];
    const own = { ...ref, name, uid };
    const read = async () => {
      const snapshot = await readMachine(objects, own);
      return snapshot?.infrastructureMachine && !snapshot.machine.metadata.deletionTimestamp ? snapshot : undefined;
    };
    return [{ ref: own, machine, read }];
  });

/** The seconds until each awaited machine is checked again. */
const waitsOf = (seen: readonly { look: Look | undefined }[], shortest: number | undefined, now: Date): number[] =>
  seen.flatMap(({ look }) =>
    look?.state === 'waits' ? [Math.max(look.waitSeconds, secondsToFirstLook(look.machine, shortest, now))] : [],
  );

const goOn = async (
  { work, clock, touch }: NodeDependencies,
  ref: MachineRef,
  holder: string,
  { since, joins, heldUntil }: NodeWatch,
  waits: readonly number[],
): Promise<Pick<WatchResult, 'progress' | 'waitSeconds'>> => {
  const cluster = clusterOf(ref);
  const now = clock.now();
  const isLong = isOverdue(since?.toISOString(), LONGEST_WATCH_SECONDS, now);
  if (waits.length > 0 && !isLong) {
    const waitSeconds = Math.min(...waits);
    const isNear = waitSeconds <= NEAR_SECONDS && heldUntil && heldUntil.getTime() - now.getTime() > LEASE_LEFT_MS;
    const isHeld = isNear || (await work.holdNodeWatch(cluster, holder, waitSeconds));
    return isHeld ? { progress: 'wait', waitSeconds } : ENDED;
  }
  // A machine that was added in the meantime is checked by this execution, or by the one that has taken over.
  if (!(await work.endNodeWatch(cluster, holder, joins))) return { progress: 'wait', waitSeconds: 1 };
  if (waits.length > 0) await touch(cluster);
  return ENDED;
};
