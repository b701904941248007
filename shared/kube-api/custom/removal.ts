import type { Clock } from '../../clock.ts';
import type { BeforeCollecting, Budget, Collected } from '../garbage/contract.ts';
import { type KubeObject, keyOf } from '../object.ts';
import type { Registry, WriteEvent } from '../registry/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { qualified, StatusError } from '../status-error.ts';
import { asStored } from '../versions/as-stored.ts';
import type { Catalog } from './catalog.ts';
import { CLEANUP_FINALIZER, type CustomDefinition } from './definition.ts';
import { CUSTOM_DEFINITIONS } from './kind.ts';
import { resourcesOf } from './resource-of.ts';

/** The input for the removal of definitions. */
export interface RemovalDependencies {
  registry: Pick<Registry, 'list' | 'delete' | 'update' | 'find'>;
  catalog: Catalog;
  clock: Pick<Clock, 'now'>;
  budget: Budget;
  before?: BeforeCollecting | undefined;
  touched?: Collected['touched'];
}

/**
 * The kind of a definition in any of its versions, served or not. The removal of its objects has no further effects.
 */
const anyResourceOf = (definition: CustomDefinition): ResourceDefinition | undefined => {
  const versions = definition.spec.versions.map((version) => ({ ...version, served: true }));
  const [found] = resourcesOf({ ...definition, spec: { ...definition.spec, versions } });
  // No webhook has to respond for this.
  const resource = found && asStored(found);
  return resource?.custom && { ...resource, custom: { ...resource.custom, isTerminating: false } };
};

const unless = (reason: string) => (error: unknown) => {
  if (!(error instanceof StatusError && error.reason === reason)) throw error;
};

/** The function's memory cannot hold many large objects. */
const PAGE = 10;

/** True if the object is gone. */
const deleteOne = async (
  { registry, before, touched }: RemovalDependencies,
  resource: ResourceDefinition,
  object: KubeObject,
): Promise<boolean> => {
  await before?.({ resource, object });
  const { uid } = object.metadata;
  const written = await registry
    .delete(resource, keyOf(object), { ...(uid ? { preconditions: { uid } } : {}) })
    .catch(unless('NotFound'));
  touched?.push({ resource, object });
  return !written || written.outcome === 'removed';
};

/**
 * Deletes objects of a kind, within the budget. True if none is left. Objects that finalizers already hold back use no
 * budget: they must not keep the others from being deleted.
 */
const emptyKind = async (deps: RemovalDependencies, resource: ResourceDefinition): Promise<boolean> => {
  const { registry, clock, budget } = deps;
  const end = clock.now().getTime() + budget.milliseconds;
  let deletions = 0;
  let isEmpty = true;
  let token: string | undefined;
  do {
    const page = await registry.list(resource, { limit: PAGE, continue: token });
    for (const object of page.items) {
      if (deletions === budget.objects || clock.now().getTime() > end) return false;
      if (object.metadata.deletionTimestamp) isEmpty = false;
      else {
        deletions += 1;
        isEmpty = (await deleteOne(deps, resource, object)) && isEmpty;
      }
    }
    token = page.continue;
  } while (token !== undefined);
  return isEmpty && (await registry.list(resource, { limit: 1 })).items.length === 0;
};

/**
 * Continues the removal of a definition: its objects are removed first, and only their own finalizers can block that.
 */
const finishDefinition = async (deps: RemovalDependencies, definition: CustomDefinition): Promise<void> => {
  const resource = anyResourceOf(definition);
  if (resource && !(await emptyKind(deps, resource))) return;
  const { uid, name } = definition.metadata;
  await deps.registry
    .update(
      CUSTOM_DEFINITIONS,
      { namespace: '', name },
      (current) => {
        const finalizers = current.metadata.finalizers ?? [];
        if (current.metadata.uid !== uid || !finalizers.includes(CLEANUP_FINALIZER)) return undefined;
        return {
          ...current,
          metadata: { ...current.metadata, finalizers: finalizers.filter((one) => one !== CLEANUP_FINALIZER) },
        };
      },
      { scope: 'all', attempts: 8 },
    )
    .catch(unless('NotFound'));
};

const isGoing = ({ metadata }: CustomDefinition): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);

/** Continues with all definitions that are being deleted. Failures are reported, and retried the next time. */
export const finishDefinitions = async (deps: RemovalDependencies): Promise<Collected> => {
  const failures: unknown[] = [];
  const { definitions } = await deps.catalog.current();
  for (const definition of definitions.filter(isGoing)) {
    try {
      await finishDefinition(deps, definition);
    } catch (error) {
      failures.push(error);
    }
  }
  return { touched: deps.touched ?? [], failures, left: 0 };
};

/** A name has become free: definitions in the group that could not get it are evaluated again. */
const reconsider = async ({ registry, catalog }: RemovalDependencies, group: string): Promise<void> => {
  const { definitions } = await catalog.current();
  const waiting = definitions.filter(
    ({ spec, status }) =>
      spec.group === group && status?.conditions?.some((one) => one.type === 'NamesAccepted' && one.status !== 'True'),
  );
  for (const { metadata } of waiting) {
    const key = { namespace: '', name: metadata.name };
    await registry.update(CUSTOM_DEFINITIONS, key, (current) => current, { attempts: 8 }).catch(unless('NotFound'));
  }
};

/**
 * Follows writes of definitions and of custom resources. A definition that is being deleted loses its objects within
 * the budget, the sweep does the rest; the last object of such a kind also removes the definition.
 */
export const makeFollowDefinitions =
  (deps: () => RemovalDependencies) =>
  async ({ type, resource, object }: WriteEvent): Promise<void> => {
    if (resource.custom) {
      if (type === 'deleted' && resource.custom.isTerminating) await finishDefinitions(deps());
      return;
    }
    if (qualified(resource) !== qualified(CUSTOM_DEFINITIONS)) return;
    const definition = object as CustomDefinition;
    if (type === 'deleted') await reconsider(deps(), definition.spec.group);
    else if (isGoing(definition)) await finishDefinition(deps(), definition);
  };
