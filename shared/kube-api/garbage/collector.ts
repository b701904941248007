import { findResource } from '../all-resources.ts';
import { withoutFinalizer } from '../finalizers.ts';
import type { KubeObject } from '../object.ts';
import type { Budget, Collected } from './contract.ts';
import { attemptToDelete, dropOwners, type Outcome } from './dependents.ts';
import { isHeldByOthers, isOrphaning, isWaitingForDependents, POLICY_FINALIZERS } from './finalizers.ts';
import type { Mark, Place } from './owner-index.ts';
import { findMarked } from './owners.ts';
import type { Round, Tools } from './round.ts';

/** A link without its object is kept for this long: its writer may be about to write the object. */
const SETTLE_MS = 60_000;
const PARALLEL = 8;

/**
 * Deals with the dependents of every mark in the queue, which may grow meanwhile, as far as the budget goes. Each
 * namespace has an equal share of the objects, and more only when the others have had theirs.
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
    const before = round.touched.length;
    const share = Math.min(room, shares.left(mark));
    if (share <= 0) postponed.push(mark);
    else await settle(round, mark, share).catch((error) => failures.push(error));
    shares.spend(mark, round.touched.length - before);
    if (queue.length === 0) {
      queue.push(...postponed.splice(0));
      shares.lift();
    }
    mark = queue.shift();
  }
  return { touched: round.touched, failures, left: 0 };
};

/** How many objects each namespace may still touch, until the limits are lifted. */
const makeShares = (marks: readonly Mark[], { objects }: Budget) => {
  const share = Math.ceil(objects / Math.max(1, new Set(marks.map(({ namespace }) => namespace)).size));
  const spent = new Map<string, number>();
  const of = ({ namespace }: Mark): number => spent.get(namespace) ?? 0;
  let isLimited = true;
  return {
    left: (mark: Mark): number => (isLimited ? share - of(mark) : objects),
    spend: (mark: Mark, count: number) => void spent.set(mark.namespace, of(mark) + count),
    lift: () => {
      isLimited = false;
    },
  };
};

/** Deals with one mark, which goes when nothing is left to do. An owner that goes by it joins the queue with its own. */
const settle = async (round: Round, mark: Mark, room: number): Promise<void> => {
  const owner = await findMarked(round.options, mark);
  const isDone = owner ? await settleLiving(round, mark, owner, room) : await settleGone(round, mark, room);
  if (isDone) await round.index.unmark(mark);
};

const settleLiving = async (round: Round, mark: Mark, owner: KubeObject, room: number): Promise<boolean> => {
  if (isOrphaning(owner)) return orphan(round, mark, room);
  // A fresh mark may belong to a process that is about to remove the owner.
  if (!isWaitingForDependents(owner)) return !isFresh(round, mark);
  // As long as others hold the owner, its dependents are theirs: a Cluster takes its objects down in its own order. The
  // write that removes the last of their finalizers marks it again.
  if (isHeldByOthers(owner)) return !isFresh(round, mark);
  const { outcomes, isCut } = await forEachDependent(round, mark, room, (place) => attemptToDelete(round, mark, place));
  if (isCut || outcomes.includes('blocking')) return false;
  await finish(round, mark, POLICY_FINALIZERS.Foreground);
  return false;
};

const orphan = async (round: Round, mark: Mark, room: number): Promise<boolean> => {
  const { isCut } = await forEachDependent(round, mark, room, (place) => dropOwners(round, place, [mark.uid]));
  if (isCut) return false;
  await finish(round, mark, POLICY_FINALIZERS.Orphan);
  return false;
};

/** The owner is gone: its dependents without other owners are deleted too, regardless of what blocks them. */
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

/** Takes the policy's finalizer from the owner, which goes unless others hold it. */
const finish = async ({ options, update }: Round, mark: Mark, finalizer: string): Promise<void> => {
  const resource = await findResource(options, ({ group, plural }) => group === mark.group && plural === mark.plural);
  if (!resource) return;
  await update(
    resource,
    mark,
    (current) => (current.metadata.uid === mark.uid ? withoutFinalizer(finalizer)(current) : undefined),
    {
      scope: 'all',
      attempts: 8,
    },
  );
};

/** The result for the dependents; `isCut` if the budget was not sufficient for all of them. */
const forEachDependent = async <R>(
  round: Round,
  { uid }: Mark,
  room: number,
  act: (place: Place) => Promise<R>,
): Promise<{ outcomes: R[]; isCut: boolean }> => {
  const places = await round.index.dependents(uid);
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
