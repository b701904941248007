import { isDeepStrictEqual } from 'node:util';
import { allResources } from '../all-resources.ts';
import type { BeforeCollecting, Budget, Collected } from '../garbage/contract.ts';
import { rotated } from '../garbage/fair-order.ts';
import { formatTime, type KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import { isNamespaces } from './namespaces.ts';
import type { Registry, RegistryOptions } from './registry.ts';

/**
 * The contents of a namespace are deleted with it, as by Kubernetes' namespace controller
 * (pkg/controller/namespace/deletion): every object is deleted, and the namespace is removed when none is left. There
 * is no controller here: the request that deletes the namespace does the work within a budget, and the sweep does the
 * rest.
 */

/** The remaining contents of a namespace after a round. */
export interface Content {
  /** The number of remaining objects of each resource, by its name and group. */
  resources: ReadonlyMap<string, number>;
  /** The number of those that each finalizer holds. */
  finalizers: ReadonlyMap<string, number>;
  failures: readonly unknown[];
}

export interface Emptying {
  options: RegistryOptions;
  /** Deletes one object according to the API's rules. */
  remove: Registry['delete'];
  budget: Budget;
  before?: BeforeCollecting | undefined;
  /** Called for each object that was deleted or marked. */
  touched?: Collected['touched'];
}

/**
 * Events expire, and do not delay the deletion of a namespace. They are deleted last, within the rest of the budget.
 */
const isEvents = ({ group, plural }: ResourceDefinition): boolean => group === '' && plural === 'events';

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

interface Round extends Emptying {
  namespace: string;
  resources: Map<string, number>;
  finalizers: Map<string, number>;
  failures: unknown[];
  /** How many objects may still be deleted. */
  left: number;
  /** When the time ends. */
  end: number;
}

/**
 * Deletes the contents of the namespace, as far as the budget allows. A failed deletion is reported, and the object is
 * left.
 */
export const emptyNamespace = async (emptying: Emptying, namespace: string): Promise<Content> => {
  const { options, budget } = emptying;
  const all = await allResources(options);
  const kinds = all.filter(({ namespaced, readOnly }) => namespaced && !readOnly);
  const round: Round = {
    ...emptying,
    namespace,
    resources: new Map(),
    finalizers: new Map(),
    failures: [],
    left: budget.objects,
    end: options.clock.now().getTime() + budget.milliseconds,
  };
  for (const resource of [...kinds.filter((kind) => !isEvents(kind)), ...kinds.filter(isEvents)]) {
    await emptyOfKind(round, resource);
  }
  return round;
};

/** All objects of a page are in memory at once, and each may have the maximum size. */
const MOST_OF_A_PAGE = 25;

const emptyOfKind = async (round: Round, resource: ResourceDefinition): Promise<void> => {
  let next: string | undefined;
  do next = await emptyPage(round, resource, next);
  while (next !== undefined);
};

/** Returns where the next page begins, if the budget is not used up. */
const emptyPage = async (
  round: Round,
  resource: ResourceDefinition,
  from: string | undefined,
): Promise<string | undefined> => {
  const { options, namespace } = round;
  const isOver = round.left <= 0 || options.clock.now().getTime() > round.end;
  if (isOver && isEvents(resource)) return undefined;
  const limit = isOver ? 1 : Math.min(round.left, MOST_OF_A_PAGE);
  const page = await options.storage.list(resource, {
    ...{ namespace, limit, unopened: true },
    ...(from ? { continue: from } : {}),
  });
  round.left -= page.items.length;
  for (const item of page.items) {
    const rest = isOver ? item : await removeOne(round, resource, item, round.failures);
    if (rest) note(round, resource, rest);
  }
  if (page.continue === undefined) return undefined;
  if (round.left > 0 && !isOver) return page.continue;
  // More than the budget allows: at least one is left.
  note(round, resource);
  return undefined;
};

const note = (round: Round, resource: ResourceDefinition, { metadata }: Partial<KubeObject> = {}): void => {
  if (isEvents(resource)) return;
  count(round.resources, `${resource.plural}.${resource.group}`);
  for (const finalizer of metadata?.finalizers ?? []) count(round.finalizers, finalizer);
};

/** Undefined if the object is gone, and otherwise its current state. */
const removeOne = async (
  { remove, before, touched }: Emptying,
  resource: ResourceDefinition,
  object: KubeObject,
  failures: unknown[],
): Promise<KubeObject | undefined> => {
  const { namespace = '', name, uid, deletionTimestamp } = object.metadata;
  if (deletionTimestamp) return object;
  try {
    await before?.({ resource, object });
    const preconditions = uid ? { uid } : {};
    const written = await remove(resource, { namespace, name }, { preconditions, propagationPolicy: 'Background' });
    touched?.push({ resource, object });
    return written.outcome === 'removed' ? undefined : written.object;
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    failures.push(error);
    return object;
  }
};

interface Condition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

const listed = (counts: ReadonlyMap<string, number>, verb: string): string =>
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, number]) => `${name} ${verb} ${number} resource instances`)
    .join(', ');

type Said = Omit<Condition, 'lastTransitionTime'>;

const said = (type: string, status: 'True' | 'False', reason: string, message: string): Said => ({
  type,
  status,
  reason,
  message,
});

const failureCondition = (failures: readonly unknown[]): Said => {
  const type = 'NamespaceDeletionContentFailure';
  const fine = 'All content successfully deleted, may be waiting on finalization';
  if (failures.length === 0) return said(type, 'False', 'ContentDeleted', fine);
  const why = failures.map(reasonOf).join(', ');
  const message = `Failed to delete all resource types, ${failures.length} remaining: ${why}`;
  return said(type, 'True', 'ContentDeletionFailed', message);
};

const remainingCondition = (resources: Content['resources']): Said => {
  const type = 'NamespaceContentRemaining';
  if (resources.size === 0) return said(type, 'False', 'ContentRemoved', 'All content successfully removed');
  const message = `Some resources are remaining: ${listed(resources, 'has')}`;
  return said(type, 'True', 'SomeResourcesRemain', message);
};

const finalizersCondition = (finalizers: Content['finalizers']): Said => {
  const type = 'NamespaceFinalizersRemaining';
  const fine = 'All content-preserving finalizers finished';
  if (finalizers.size === 0) return said(type, 'False', 'ContentHasNoFinalizers', fine);
  const message = `Some content in the namespace has finalizers remaining: ${listed(finalizers, 'in')}`;
  return said(type, 'True', 'SomeFinalizersRemain', message);
};

const DISCOVERED = 'All resources successfully discovered';
const PARSED = 'All legacy kube types successfully parsed';

/** The report of a terminating namespace about its contents, with upstream's messages. */
const conditionsOf = ({ resources, finalizers, failures }: Content): Said[] => [
  said('NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', DISCOVERED),
  said('NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', PARSED),
  failureCondition(failures),
  remainingCondition(resources),
  finalizersCondition(finalizers),
];

/** Refusals of the API may be shown; any other error may quote anything. */
const reasonOf = (error: unknown): string => (error instanceof StatusError ? error.message : 'an internal error');

type Namespace = KubeObject & { status?: { conditions?: Condition[] } };

/** The namespace with the conditions of its deletion; the same object if it already has them. Pure. */
export const withContent = <T extends KubeObject>(namespace: T, content: Content, now: Date): T => {
  const { status } = namespace as Namespace;
  const old = status?.conditions ?? [];
  const fresh = conditionsOf(content).map((condition): Condition => {
    const before = old.find(({ type }) => type === condition.type);
    const lastTransitionTime =
      before?.lastTransitionTime && before.status === condition.status ? before.lastTransitionTime : formatTime(now);
    const { type, status: value, ...rest } = condition;
    return { type, status: value, lastTransitionTime, ...rest };
  });
  const types = new Set(fresh.map(({ type }) => type));
  const conditions = [...old.filter(({ type }) => !types.has(type)), ...fresh];
  return isDeepStrictEqual(conditions, old) ? namespace : { ...namespace, status: { ...status, conditions } };
};

/** Continues the deletion of all namespaces that are being deleted; each gets a share of the time. */
export const finishNamespaces = async (emptying: Emptying): Promise<Collected> => {
  const { options, remove, budget, before, touched = [] } = emptying;
  const resource = options.resources.find(isNamespaces);
  const failures: unknown[] = [];
  if (!resource) return { touched, failures, left: 0 };
  const now = (): number => options.clock.now().getTime();
  const end = now() + budget.milliseconds;
  const { items } = await options.storage.list(resource, {});
  const going = items.filter((item) => item.metadata.deletionTimestamp);
  for (const [index, { metadata }] of rotated(going, options.clock.now()).entries()) {
    const left = going.length - index;
    if (now() > end) return { touched, failures, left };
    try {
      const share = { ...budget, milliseconds: (end - now()) / left };
      const preconditions = metadata.uid ? { uid: metadata.uid } : {};
      const { name } = metadata;
      await remove(resource, { namespace: '', name }, { preconditions, emptying: { budget: share, before, touched } });
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'NotFound')) failures.push(error);
    }
  }
  return { touched, failures, left: 0 };
};
