import { isDeepStrictEqual } from 'node:util';
import { type Cluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject, ResourceId } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ListOptions } from '../../shared/kube-api/storage/storage.ts';
import { REFERRING_KINDS, refersToAny } from '../../shared/plan/references.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { count } from '../../shared/plan/words.ts';
import { affectedClusters, type Item } from '../api/affected/clusters.ts';
import { clustersOfClasses } from '../api/topology/affected.ts';
import type { Reads as ClassReads } from '../api/topology/classes.ts';
import { leaving } from './acted.ts';
import { type Allowance, readAllowance, UNLIMITED } from './allowance.ts';
import { deletionNotes } from './deletion.ts';
import { type Followed, follow } from './follow.ts';
import { infrastructureNotes } from './infrastructure.ts';
import { isOfClasses, isPlanned, isTemplate } from './kinds.ts';
import { missingNotes } from './missing.ts';
import { type ClusterPlan, isEmpty } from './plan.ts';
import { type PoolsOf, poolPlans } from './pools.ts';
import { type Change, type Reads, remembering, withChanges } from './reads.ts';
import { templateNotes } from './templates.ts';
import type { World } from './world.ts';

export interface Preview {
  /** The clusters that the changes concern, including those in which nothing happens. */
  clusters: ClusterPlan[];
  /** Messages about changes that affect no cluster, or not yet. */
  notes: string[];
  /** Changes that the topologies of these clusters make as a result: the objects that a ClusterClass gives them. */
  topologyChanges: Change[];
}

/** The clusters that a change concerns, by name. */
const clustersOf = (reads: Reads, { resource, object }: Change): Promise<string[]> => {
  const referring = KINDS.filter(({ kind, namespaced }) => namespaced && REFERRING_KINDS.includes(kind));
  return affectedClusters({ resource, object }, async (targets) => {
    const refers = refersToAny(targets);
    const lists = await Promise.all(
      referring.map(async (kind) =>
        (await reads.list(kind, object.metadata.namespace))
          .filter(refers)
          .map((found): Item => ({ resource: kind, object: found })),
      ),
    );
    return lists.flat();
  });
};

/** A dependent that has no other owner is deleted as well; its machines and instances must be listed, too. */
const asGoing = (change: Change, now: Date): Change =>
  change.type === 'deleted' && !isTemplate(change.resource.kind)
    ? { ...change, type: 'updated', object: leaving(change.object, now) }
    : change;

interface Place {
  namespace: string;
  name: string;
}

/** The clusters that a change concerns in its namespace. */
const placesOf = async (reads: Reads, change: Change): Promise<Place[]> => {
  if (isTemplate(change.resource.kind) || isOfClasses(change.resource.kind)) return [];
  const { namespace = '' } = change.object.metadata;
  return (await clustersOf(reads, change)).map((name) => ({ namespace, name }));
};

/** The clusters whose topology is affected by a change to a class or a template. */
const managedPlaces = async (before: Reads, after: Reads, { resource, object }: Change): Promise<Place[]> => {
  if (!isTemplate(resource.kind) && !isOfClasses(resource.kind)) return [];
  const { namespace = '', name } = object.metadata;
  const old = await before.get<KubeObject>(resource, { namespace, name });
  const storage = {
    get: (kind: ResourceDefinition, within: string, called: string) =>
      after.get(kind, { namespace: within, name: called }),
    list: async (kind: ResourceId, { namespace: within }: ListOptions) => ({
      items: await after.list(kind as ResourceDefinition, within),
      resourceVersion: '',
    }),
  };
  const found = await clustersOfClasses(storage as ClassReads, resource, object, old);
  return found.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name }));
};

/** Messages about a change itself. `clusters`: the number of clusters that it affects. */
const notesOf = async (reads: Reads, change: Change, clusters: number): Promise<string[]> => {
  const { resource, object } = change;
  const name = `${object.kind} ${object.metadata.name}`;
  if (isOfClasses(resource.kind)) return clusters === 0 ? [`${name}: no Cluster is made from it`] : [];
  if (isTemplate(resource.kind)) return clusters > 0 ? [] : templateNotes(reads, change);
  return clusters === 0 ? [`${name} belongs to no Cluster yet, so nothing is created for it`] : [];
};

const differing = <T>(after: readonly T[], before: readonly T[]): T[] =>
  after.filter((one) => !before.some((other) => isDeepStrictEqual(one, other)));

const poolsOf = (
  { snapshot, allowance }: World,
  { pools, machines }: Pick<Followed, 'pools' | 'machines'>,
): PoolsOf => ({ pools, machines, allowance, infrastructureCluster: snapshot.infrastructureCluster });

const planCluster = (
  changes: readonly Change[],
  before: Followed | undefined,
  { world: after, ...next }: Followed,
): ClusterPlan => {
  const { cluster } = after.snapshot;
  const { namespace = '', name } = cluster.metadata;
  const all = [...changes, ...next.changes];
  const plan: ClusterPlan = {
    cluster: { namespace, name },
    owners: differing(next.owners, before?.owners ?? []),
    inPlace: differing(next.inPlace, before?.inPlace ?? []),
    pools: cluster.metadata.deletionTimestamp
      ? []
      : poolPlans(poolsOf(after, next), before && poolsOf(before.world, before)),
    notes: [
      ...all.flatMap((change) => [
        ...deletionNotes(change, after),
        ...infrastructureNotes(change, before?.world, after),
      ]),
      ...differing(next.notes, before?.notes ?? []),
    ],
    complete: next.complete,
  };
  if (!isPaused(cluster) || isEmpty(plan)) return plan;
  return { ...plan, notes: ['the Cluster is paused: this happens once it is unpaused', ...plan.notes] };
};

/** Adds a note to a plan that was made without the quotas, if there is anything in the plan. */
const withQuotaNote = (followed: Followed, allowance: Allowance | undefined): Followed => {
  if (allowance || followed.owners.length + followed.pools.length === 0) return followed;
  const note = 'the ResourceQuotas of the namespace are not considered, because you may not list them';
  return { ...followed, notes: [...followed.notes, note] };
};

export interface PreviewDependencies {
  reads: Reads;
  now: Date;
  /** Whether effects on the clusters of a namespace may be shown; a class may be used in several namespaces. */
  mayShow?(namespace: string): Promise<boolean>;
  /** Whether the changes are all manifests of the user, instead of one of possibly several. */
  isWhole?: boolean;
}

/** The places that may be shown, and a message about the others. */
const shownPlaces = async (
  places: readonly Place[],
  mayShow: (namespace: string) => Promise<boolean>,
): Promise<{ shown: Place[]; note: string[] }> => {
  const namespaces = [...new Set(places.map(({ namespace }) => namespace))];
  const allowed = await Promise.all(namespaces.map(mayShow));
  const shown = places.filter(({ namespace }) => allowed[namespaces.indexOf(namespace)]);
  const hidden = places.length - shown.length;
  const note = `${count(hidden, 'Cluster')} in other namespaces may change as well; it is shown to users who may list machines there`;
  return { shown, note: hidden > 0 ? [note] : [] };
};

/**
 * The combined effects of changes. The planners of the passes run on the clusters as they would be, and again on the
 * result, until they change nothing. Only reads.
 */
export const preview = async (
  { reads: direct, now, mayShow = async () => true, isWhole = false }: PreviewDependencies,
  tried: readonly Change[],
): Promise<Preview> => {
  const changes = tried.filter(({ resource }) => isPlanned(resource)).map((change) => asGoing(change, now));
  const reads = remembering(direct);
  // Quotas that are changed together with the objects that they limit.
  const quotas = tried.filter(({ resource }) => resource.kind === kinds.resourceQuota.kind && resource.group === '');
  const changed = withChanges(reads, [...changes, ...quotas]);
  const unborn = new Set(
    changes.flatMap(({ type, object }) => (type === 'created' ? [object.metadata.uid ?? ''] : [])),
  );
  const concerned = new Map<string, { namespace: string; name: string; changes: Change[] }>();
  const notes: string[] = [];
  for (const change of changes) {
    const places = [...(await placesOf(changed, change)), ...(await managedPlaces(reads, changed, change))];
    const { shown, note } = await shownPlaces(places, mayShow);
    notes.push(...(await notesOf(changed, change, places.length)), ...note);
    for (const place of shown) {
      const key = `${place.namespace}/${place.name}`;
      const entry = concerned.get(key) ?? { ...place, changes: [] };
      concerned.set(key, { ...entry, changes: [...entry.changes, change] });
    }
  }
  const plans = await Promise.all(
    [...concerned.values()].map(async ({ namespace, name, changes: own }) => {
      const [was, is] = await Promise.all(
        [reads, changed].map((from) => from.get<Cluster>(kinds.cluster, { namespace, name })),
      );
      if (!is) return undefined;
      const place = { namespace, name };
      const [old, allowance] = await Promise.all([reads, changed].map((from) => readAllowance(reads, from, place)));
      const at = { unborn, now };
      const [before, after] = await Promise.all([
        was && follow(reads, was, { ...at, allowance: old ?? UNLIMITED }),
        follow(changed, is, { ...at, allowance: allowance ?? UNLIMITED }),
      ]);
      if (!after) return undefined;
      const missing = await missingNotes(changed, after.world, isWhole);
      const seen = { ...after, notes: [...after.notes, ...missing] };
      return { plan: planCluster(own, before, withQuotaNote(seen, allowance)), changes: after.changes };
    }),
  );
  const absent = [...concerned.values()].filter((_, at) => plans[at] === undefined);
  return {
    clusters: plans.flatMap((found) => (found ? [found.plan] : [])),
    topologyChanges: plans.flatMap((found) => found?.changes ?? []),
    notes: [...notes, ...absent.map(({ name }) => `Cluster ${name} does not exist yet, so nothing is created`)],
  };
};
