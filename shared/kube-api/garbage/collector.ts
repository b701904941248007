import { findResource } from '../all-resources.ts';
import type { KubeObject } from '../object.ts';
import { withoutFinalizer } from '../registry/finalizers.ts';
import type { Budget, Collected } from './contract.ts';
import { attemptToDelete, dropOwners, type Outcome } from './dependents.ts';
import { isHeldByOthers, isOrphaning, isWaitingForDependents, POLICY_FINALIZERS } from './finalizers.ts';
import type { Mark, Place } from './owner-index.ts';
import { classifyOwners, findMarked } from './owners.ts';
import type { Round, Tools } from './round.ts';

/** A link without an object is kept for this long, because its writer may be about to write the object. */
const SETTLE_MS = 60_000;
const PARALLEL = 8;

/**
 * Handles the dependents of every mark in the queue, which may grow meanwhile, until the budget is spent. Each
 * namespace gets an equal share of the objects and of the time. What remains is available to all once every mark has
 * had its turn.
 */
export const collectGarbage = async (tools: Tools, queue: Mark[], budget: Budget): Promise<Collected> => {
  const { clock } = tools.options;
  const end = clock.now().getTime() + budget.milliseconds;
  const round: Round = { ...tools, touched: [], end };
  const failures: unknown[] = [];
  const shares = makeShares(queue, budget);
  const postponed: Mark[] = [];
  let mark = queue.shift();
  while (mark) {
    const room = budget.objects - round.touched.length;
    if (room <= 0 || clock.now().getTime() > end)
      return { touched: round.touched, failures, left: queue.length + postponed.length + 1 };
    const [before, start] = [round.touched.length, clock.now().getTime()];
    const left = shares.left(mark);
    if (left.objects <= 0 || left.milliseconds <= 0) postponed.push(mark);
    else {
      const part = { ...round, end: Math.min(end, start + left.milliseconds) };
      await settle(part, mark, Math.min(room, left.objects)).catch((error) => failures.push(error));
    }
    shares.spend(mark, { objects: round.touched.length - before, milliseconds: clock.now().getTime() - start });
    if (queue.length === 0) {
      queue.push(...postponed.splice(0));
      shares.lift();
    }
    mark = queue.shift();
  }
  return { touched: round.touched, failures, left: 0 };
};

/** Tracks how many objects each namespace may still change and how long it may take, until the limits are lifted. */
const makeShares = (marks: readonly Mark[], { objects, milliseconds }: Budget) => {
  const namespaces = Math.max(1, new Set(marks.map(({ namespace }) => namespace)).size);
  const share = { objects: Math.ceil(objects / namespaces), milliseconds: Math.ceil(milliseconds / namespaces) };
  const spent = new Map<string, Budget>();
  const of = ({ namespace }: Mark): Budget => spent.get(namespace) ?? { objects: 0, milliseconds: 0 };
  let isLimited = true;
  return {
    left: (mark: Mark): Budget =>
      isLimited
        ? { objects: share.objects - of(mark).objects, milliseconds: share.milliseconds - of(mark).milliseconds }
        : { objects, milliseconds },
    spend: (mark: Mark, more: Budget): void => {
      const { objects, milliseconds } = of(mark);
      spent.set(mark.namespace, {
        objects: objects + more.objects,
        milliseconds: milliseconds + more.milliseconds,
      });
    },
    lift: () => {
      isLimited = false;
    },
  };
};

/**
 * Processes one mark, and removes it when nothing is left to do. An owner that is deleted on the way adds its own mark
 * to the queue.
 */
const settle = async (round: Round, mark: Mark, room: number): Promise<void> => {
  const owner = await findMarked(round.options, mark);
  const isDone = owner ? await settleLiving(round, mark, owner, room) : await settleGone(round, mark, room);
  if (isDone) await round.index.unmark(mark);
};

const settleLiving = async (round: Round, mark: Mark, owner: KubeObject, room: number): Promise<boolean> => {
  if (isOrphaning(owner)) return orphan(round, mark, owner, room);
  // The mark may be so recent that its writer is still about to remove the owner.
  if (!isWaitingForDependents(owner)) return (await settleOwners(round, mark, owner)) && !isFresh(round, mark);
  // While the owner has other finalizers, their controllers handle its dependents: a Cluster deletes its objects in its
  // own order. The write that removes the last of these finalizers marks the owner again.
  if (isHeldByOthers(owner)) return !isFresh(round, mark);
  const { outcomes, isCut } = await forEachDependent(round, mark, room, (place) => attemptToDelete(round, mark, place));
  if (isCut || outcomes.includes('blocking')) return false;
  await finish(round, mark, owner, POLICY_FINALIZERS.Foreground);
  return false;
};

/** The mark may belong to a dependent that was written with an owner that does not exist. */
const settleOwners = async (round: Round, mark: Mark, object: KubeObject): Promise<boolean> => {
  const { dangling } = await classifyOwners(round.options, object);
  const [gone] = dangling;
  if (!gone) return true;
  return (await attemptToDelete(round, { ...mark, uid: gone.uid }, mark)) !== 'failed';
};

const orphan = async (round: Round, mark: Mark, owner: KubeObject, room: number): Promise<boolean> => {
  const { isCut } = await forEachDependent(round, mark, room, (place) => dropOwners(round, place, [mark.uid]));
  if (isCut) return false;
  await finish(round, mark, owner, POLICY_FINALIZERS.Orphan);
  return false;
};

/**
 * The owner no longer exists: deletes its dependents without other owners. Finalizers on these do not keep the mark.
 */
const settleGone = async (round: Round, mark: Mark, room: number): Promise<boolean> => {
  const fresh = isFresh(round, mark);
  const { outcomes, isCut } = await forEachDependent(round, mark, room, async (place): Promise<Outcome> => {
    const outcome = await attemptToDelete(round, mark, place);
    if (outcome === 'unrelated' && !fresh) await round.index.unlink(mark.uid, place);
    return outcome;
  });
  return !isCut && !outcomes.includes('failed') && !(fresh && outcomes.includes('unrelated'));
};

const isFresh = ({ options }: Round, { at }: Mark): boolean => options.clock.now().getTime() - at < SETTLE_MS;

/** Removes the policy's finalizer. The owner is then removed unless it has others. */
const finish = async ({ options, update }: Round, mark: Mark, from: KubeObject, finalizer: string): Promise<void> => {
  const resource = await findResource(options, ({ group, plural }) => group === mark.group && plural === mark.plural);
  if (!resource) return;
  await update(
    resource,
    mark,
    (current) => (current.metadata.uid === mark.uid ? withoutFinalizer(finalizer)(current) : undefined),
    {
      scope: 'all',
      attempts: 8,
      from,
    },
  );
};

/**
 * Whether the owner of a mark can own the object at a place: a namespaced owner is in the namespace of its dependents.
 * Anyone who knows its uid can name it in another namespace, and must not hold it there.
 */
const mayOwn = ({ namespace }: Mark, place: Place): boolean => namespace === '' || namespace === place.namespace;

/** Applies `act` to the dependents; `isCut` if the budget did not suffice for all of them. */
const forEachDependent = async <R>(
  round: Round,
  mark: Mark,
  room: number,
  act: (place: Place) => Promise<R>,
): Promise<{ outcomes: R[]; isCut: boolean }> => {
  const places = (await round.index.dependents(mark.uid)).filter((place) => mayOwn(mark, place));
  const most = round.touched.length + room;
  const results: PromiseSettledResult<R>[] = [];
  const isOver = (): boolean => round.options.clock.now().getTime() > round.end;
  while (results.length < places.length && round.touched.length < most && !isOver()) {
    const size = Math.min(PARALLEL, most - round.touched.length);
    results.push(...(await Promise.allSettled(places.slice(results.length, results.length + size).map(act))));
  }
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  const outcomes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return { outcomes, isCut: results.length < places.length };
};
