import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Api } from '../api/client.ts';
import { collectionPath, find, makeFindResource } from '../api/resources.ts';
import { check, type Entry, type Known, keyOf, owned, type Step, write } from './check.ts';
import { beginning, ending, requireInterrupted, staysPaused } from './mark.ts';
import type { AdoptionPlan } from './plan.ts';

/** What an adoption has done. */
export interface Adoption {
  /** The objects that were created or changed. */
  written: string[];
  /** Whether the Cluster is still paused, as its manifest says. */
  isPaused: boolean;
}

/**
 * Derived objects, and what follows from them: a set is made from its deployment. Secrets do not, because the key
 * material is given.
 */
const allDerived = ({ derived, objects }: AdoptionPlan): ReadonlySet<string> => {
  const all = new Set(derived);
  for (const { object, owner } of objects) {
    const follows = owner.kind !== 'Cluster' && object.kind !== 'Secret';
    if (follows && all.has(`${owner.kind}/${owner.name}`)) all.add(keyOf(object));
  }
  return all;
};

const withoutNamespace = ({ metadata: { namespace: _, ...metadata }, ...object }: KubeObject): KubeObject =>
  ({ ...object, metadata }) as KubeObject;

/** The objects of a plan in the order of their creation: cluster-scoped ones belong to no cluster, and come first. */
const inOrder = async (plan: AdoptionPlan, findResource: ReturnType<typeof makeFindResource>) => {
  const shared: Entry[] = [];
  const own: Entry[] = [{ object: beginning(plan.cluster) }];
  for (const entry of plan.objects) {
    const isShared = (await findResource(entry.object))?.namespaced === false;
    if (isShared) shared.push({ object: withoutNamespace(entry.object) });
    else own.push(entry);
  }
  return { shared, own };
};

const refusedText = (refused: readonly { key: string; why: string }[]): string => {
  const byReason = [...Map.groupBy(refused, ({ why }) => why)];
  const lines = byReason.map(([why, objects]) => `  - ${objects.map(({ key }) => key).join(', ')}: ${why}`);
  return ['no object of the cluster was written, because these cannot be:', ...lines].join('\n');
};

/** Checks all objects before any is written, and throws an error that names all that cannot be. */
const makeCheckAll = (api: Api, findResource: ReturnType<typeof makeFindResource>) => {
  const made = new Map<string, KubeObject>();
  return async (entries: readonly Entry[], known: Omit<Known, 'made'>): Promise<Step[]> => {
    const steps: Step[] = [];
    const refused: { key: string; why: string }[] = [];
    for (const entry of entries) {
      const key = keyOf(entry.object);
      const step = await check(api, findResource, entry, { ...known, made });
      if (typeof step === 'string') refused.push({ key, why: step });
      else steps.push(step);
      made.set(key, (typeof step === 'string' ? undefined : step.current) ?? entry.object);
    }
    if (refused.length > 0) throw new Error(refusedText(refused));
    return steps;
  };
};

/** Writes what has to be written, each object after its owner. */
const makeWriteAll = (api: Api) => {
  const made = new Map<string, KubeObject>();
  const written: string[] = [];
  const writeAll = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) {
      const key = keyOf(step.object);
      const kept = step.isChanged ? undefined : step.current;
      made.set(key, kept ?? (await write(api, step, owned(step, made))));
      if (!kept) written.push(key);
    }
  };
  return { writeAll, made, written };
};

/** Finds the Cluster of a plan, and checks the cluster-scoped objects. */
const begin = async (api: Api, plan: AdoptionPlan) => {
  const findResource = makeFindResource(api);
  const clusters = await findResource(plan.cluster);
  if (!clusters) throw new Error(`the API does not serve ${plan.cluster.kind} of ${plan.cluster.apiVersion}`);
  const path = `${collectionPath(clusters, plan.cluster.metadata.namespace ?? '')}/${plan.cluster.metadata.name}`;
  const existing = await find<KubeObject>(api, path);
  if (existing) requireInterrupted(existing);

  const { shared, own } = await inOrder(plan, findResource);
  const checkAll = makeCheckAll(api, findResource);
  const known = { isResumed: existing !== undefined, derived: allDerived(plan) };
  return { path, ready: await checkAll(shared, known), checkOwn: () => checkAll(own, known) };
};

/**
 * Checks the objects as `carryOut` does, without writing any. Resolves to the name of a Namespace in the plan that does
 * not exist yet: the API cannot check objects in it.
 */
export const tryOut = async (api: Api, plan: AdoptionPlan): Promise<string | undefined> => {
  const { ready, checkOwn } = await begin(api, plan);
  const missing = ready.find(({ object, current }) => object.kind === 'Namespace' && current === undefined);
  if (missing) return missing.object.metadata.name;
  await checkOwn();
  return undefined;
};

/**
 * Writes the objects, beginning with the Cluster, which is paused so that no controller acts on an incomplete set. When
 * all objects exist, it is unpaused. An existing Cluster is left alone, unless an interrupted adoption has created it.
 * Nothing is written if the API refuses an object, except a Namespace, without which it refuses all of them.
 */
export const carryOut = async (api: Api, plan: AdoptionPlan): Promise<Adoption> => {
  const { path, ready, checkOwn } = await begin(api, plan);
  const { writeAll, made, written } = makeWriteAll(api);
  await writeAll(ready.filter(({ object }) => object.kind === 'Namespace'));
  const rest = await checkOwn();
  await writeAll([...ready.filter(({ object }) => object.kind !== 'Namespace'), ...rest]);
  const cluster = made.get(keyOf(plan.cluster)) ?? plan.cluster;
  await api.send('PATCH', path, ending(cluster), 'application/merge-patch+json');
  return { written, isPaused: staysPaused(cluster) };
};
