import { isDeepStrictEqual } from 'node:util';
import { type Cluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { affectedClusters, type Item, needsReferrers, REFERRING_KINDS } from '../api/affected-clusters.ts';
import { leaving } from './acted.ts';
import { deletionNotes } from './deletion.ts';
import { infrastructureNotes } from './infrastructure.ts';
import { isPlanned, isTemplate } from './kinds.ts';
import { missingNotes } from './missing.ts';
import { type ClusterPlan, isEmpty } from './plan.ts';
import { type Played, play } from './play.ts';
import { type Change, type Reads, remembering, withChanges } from './reads.ts';
import { templateNotes } from './templates.ts';
import { readWorld, type World } from './world.ts';

export interface Preview {
  /** The clusters that the changes concern, also those in which nothing happens. */
  clusters: ClusterPlan[];
  /** What is to be said of changes that concern no cluster, or not yet. */
  notes: string[];
}

/** The clusters that a change concerns, by name. */
const clustersOf = async (reads: Reads, { resource, object }: Change): Promise<string[]> => {
  const item: Item = { resource, object };
  if (!needsReferrers(item)) return affectedClusters(item, []);
  const referring = KINDS.filter(({ kind }) => REFERRING_KINDS.includes(kind));
  const lists = await Promise.all(
    referring.map(async (kind) =>
      (await reads.list(kind, object.metadata.namespace)).map((found): Item => ({ resource: kind, object: found })),
    ),
  );
  return affectedClusters(item, lists.flat());
};

/** What nothing holds back goes as well: its machines and instances are still to be told. */
const asGoing = (change: Change, now: Date): Change =>
  change.type === 'deleted' && !isTemplate(change.resource.kind)
    ? { ...change, type: 'updated', object: leaving(change.object, now) }
    : change;

const NOTHING: Played = { owners: [], inPlace: [], complete: true };

const differing = <T>(after: readonly T[], before: readonly T[]): T[] =>
  after.filter((one) => !before.some((other) => isDeepStrictEqual(one, other)));

const planCluster = (changes: readonly Change[], before: World | undefined, after: World): ClusterPlan => {
  const { cluster } = after.snapshot;
  const { namespace = '', name } = cluster.metadata;
  const isGoing = cluster.metadata.deletionTimestamp !== undefined;
  const next = isGoing ? NOTHING : play(after);
  const already = before && !isGoing ? play(before) : NOTHING;
  const plan: ClusterPlan = {
    cluster: { namespace, name },
    owners: differing(next.owners, already.owners),
    inPlace: differing(next.inPlace, already.inPlace),
    notes: [
      ...changes.flatMap((change) => [...deletionNotes(change, after), ...infrastructureNotes(change, before, after)]),
      ...missingNotes(after),
    ],
    complete: next.complete,
  };
  if (!isPaused(cluster) || isEmpty(plan)) return plan;
  return { ...plan, notes: ['the Cluster is paused: this happens once it is unpaused', ...plan.notes] };
};

/**
 * What changes would do, all of them together: the planners of the passes are asked about the clusters as they
 * would be, and again about what would come of that, until they want nothing more. Reads, and changes nothing.
 */
export const preview = async (
  { reads: direct, now }: { reads: Reads; now: Date },
  tried: readonly Change[],
): Promise<Preview> => {
  const changes = tried.filter(({ resource }) => isPlanned(resource.kind)).map((change) => asGoing(change, now));
  const reads = remembering(direct);
  const changed = withChanges(reads, changes);
  const unborn = new Set(
    changes.flatMap(({ type, object }) => (type === 'created' ? [object.metadata.uid ?? ''] : [])),
  );
  const concerned = new Map<string, { namespace: string; name: string; changes: Change[] }>();
  const notes: string[] = [];
  for (const change of changes) {
    const { namespace = '' } = change.object.metadata;
    const names = isTemplate(change.resource.kind) ? [] : await clustersOf(changed, change);
    notes.push(...(await templateNotes(changed, change)));
    if (names.length === 0 && !isTemplate(change.resource.kind)) {
      notes.push(
        `${change.object.kind} ${change.object.metadata.name} belongs to no Cluster yet: nothing is created for it`,
      );
    }
    for (const name of names) {
      const key = `${namespace}/${name}`;
      const entry = concerned.get(key) ?? { namespace, name, changes: [] };
      concerned.set(key, { ...entry, changes: [...entry.changes, change] });
    }
  }
  const plans = await Promise.all(
    [...concerned.values()].map(async ({ namespace, name, changes: own }) => {
      const [was, is] = await Promise.all(
        [reads, changed].map((from) => from.get<Cluster>(kinds.cluster, { namespace, name })),
      );
      if (!is) return undefined;
      const at = { unborn, now };
      const [before, after] = await Promise.all([was && readWorld(reads, was, at), readWorld(changed, is, at)]);
      return after && planCluster(own, before, after);
    }),
  );
  const absent = [...concerned.values()].filter((_, at) => plans[at] === undefined);
  return {
    clusters: plans.filter((plan) => plan !== undefined),
    notes: [...notes, ...absent.map(({ name }) => `Cluster ${name} does not exist: nothing is created until it does`)],
  };
};
