import { isRetried } from '../../../shared/aws/errors.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { Log } from '../../../shared/log.ts';
import { isOverdue } from '../../../shared/plan/machines/waiting.ts';
import { safeReason } from '../../../shared/safe-reason.ts';
import type { NodeWatch } from '../../../shared/store/node-watch.ts';
import type { MachineInput, MachineRef, WatchResult } from '../../../shared/work/payloads.ts';
import type { StepContext } from '../../step.ts';
import { clusterOf, readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { type Awaited, type Look, lookAt, recordLook } from './look.ts';

/** While a machine is expected any moment, an invocation looks twice: a workflow cannot wait for less than a second. */
const SECOND_LOOK_MILLISECONDS = 500;

/** The history of an execution is limited; after this long another one goes on. */
const LONGEST_WATCH_SECONDS = 30 * 60;

const ENDED: WatchResult = { progress: 'done', waitSeconds: 0, finished: [], anyFinished: false };

/**
 * Looks for the nodes of all machines of the cluster that are awaited, and says which machines are finished: their nodes are
 * ready. Ends when nobody is left to be waited for.
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
  const { work, touch } = deps;
  const cluster = clusterOf(ref);
  const watch = await work.nodeWatch(cluster);
  if (watch.holder !== holder) return ENDED;
  const machines = await readAwaited(deps, ref, watch.awaited);
  let isHandedBack = false;
  const seen = await lookAt(deps, machines, async (one, ask) => {
    try {
      return { ref: one.ref, look: await recordLook(deps, one, await ask()) };
    } catch (error) {
      if (isRetried(error)) throw error;
      log.error('a machine is handed back to its own execution', { name: one.ref.name, reason: safeReason(error) });
      isHandedBack = true;
      return { ref: one.ref, look: undefined };
    }
  });
  // Deleted, gone, or not to be looked at: the next pass begins again with those that are still wanted.
  const kept = new Set(seen.flatMap(({ ref: own, look }) => (look ? [own.uid] : [])));
  await work.leaveNodeWatch(
    cluster,
    [...watch.awaited].filter((uid) => !kept.has(uid)),
  );
  if (isHandedBack || seen.some(({ look }) => look?.isNews)) await touch(cluster);
  const finished = seen.flatMap(({ ref: { name, uid }, look }) => (look?.state === 'settled' ? [{ name, uid }] : []));
  return { ...(await goOn(deps, ref, holder, watch, seen)), finished, anyFinished: finished.length > 0 };
};

/** The awaited machines that exist and are not deleted. */
const readAwaited = async (
  { objects }: NodeDependencies,
  ref: MachineRef,
  awaited: ReadonlySet<string>,
): Promise<Awaited[]> => {
  const machines = await objects.listOfCluster(kinds.machine, ref.namespace, ref.clusterName);
  const refs = machines.flatMap(({ metadata: { name, uid = '' } }) =>
    awaited.has(uid) ? [{ ...ref, name, uid }] : [],
  );
  const read = await Promise.all(refs.map(async (own) => ({ ref: own, snapshot: await readMachine(objects, own) })));
  return read.flatMap(({ ref: own, snapshot }) =>
    snapshot?.infrastructureMachine && !snapshot.machine.metadata.deletionTimestamp ? [{ ref: own, snapshot }] : [],
  );
};

const goOn = async (
  { work, clock, touch }: NodeDependencies,
  ref: MachineRef,
  holder: string,
  { since, joins }: NodeWatch,
  seen: readonly { look: Look | undefined }[],
): Promise<Pick<WatchResult, 'progress' | 'waitSeconds'>> => {
  const cluster = clusterOf(ref);
  const waits = seen.flatMap(({ look }) => (look?.state === 'waits' ? [look.waitSeconds] : []));
  const isLong = isOverdue(since?.toISOString(), LONGEST_WATCH_SECONDS, clock.now());
  if (waits.length > 0 && !isLong) {
    const waitSeconds = Math.min(...waits);
    const isHeld = await work.holdNodeWatch(cluster, holder, waitSeconds);
    return isHeld ? { progress: 'wait', waitSeconds } : ENDED;
  }
  // Who has joined since is looked at by this execution, or by the one that has taken over.
  if (!(await work.endNodeWatch(cluster, holder, joins))) return { progress: 'wait', waitSeconds: 1 };
  if (waits.length > 0) await touch(cluster);
  return ENDED;
};
