import { trackerOf } from '../apply/tracker.ts';
import { converting } from '../custom/conversion/conversions.ts';
import { decodeObject } from '../decode.ts';
import { withoutDuplicateOwners } from '../duplicate-owners.ts';
import type { Ownership } from '../garbage/contract.ts';
import { generateName } from '../names.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { formerOf } from '../selectors/selected-parts.ts';
import { alreadyExists, badRequest, StatusError, warning } from '../status-error.ts';
import { followedWrite } from '../storage/followed-write.ts';
import { admitCreate } from './admission.ts';
import { attemptOf, type Mutated, mutatedBy } from './admit-mutations.ts';
import { requireNamespace } from './namespaces.ts';
import type { Registry, RegistryOptions, WriteOptions, Written } from './registry.ts';
import type { RelatedRules } from './related-rules.ts';
import { makeWithdraw } from './withdraw.ts';

/** The number of random names that are tried for a creation with `generateName`. */
const NAME_ATTEMPTS = 8;

/** An object that was admitted to a namespace, which is undefined if nothing can delete it. */
interface Admitted<T extends KubeObject> {
  object: T;
  namespace: KubeObject | undefined;
  /** The same object under another random name, if its name is random. */
  another: (() => T | Promise<T>) | undefined;
}

export const createCreator = (
  options: RegistryOptions,
  ownership: Ownership,
  remove: Registry['delete'],
): Registry['create'] => {
  const { storage, clock, random } = options;
  const withdraw = makeWithdraw(options, ownership, remove);

  const admit = <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    { object, track }: Mutated<T>,
    write: WriteOptions,
    related: RelatedRules | undefined,
  ): T | Promise<T> => {
    const { generateName: base, name } = object.metadata;
    const metadata = name || !base ? object.metadata : { ...object.metadata, name: generateName(base, random) };
    const creation = {
      uid: random.uuid(),
      now: clock.now(),
      scope: write.scope ?? 'main',
      track,
      firstStatus: options.firstStatus,
      related,
    };
    return converting(resource, () => admitCreate(resource, { ...object, metadata }, creation));
  };

  const store = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    { object, namespace }: Admitted<T>,
  ): Promise<T> => {
    await ownership.adding(resource, object, undefined);
    const stored = await followedWrite(
      options,
      { type: 'created', resource, object },
      () =>
        storage.create(resource, object, resource.clusterNameOf?.(object), (old) =>
          formerOf(resource, old, object),
        ) as Promise<T>,
      (created) => withdraw(resource, created, namespace),
    );
    await ownership.added(resource, stored, undefined);
    return stored;
  };

  /** Stores the object, under another random name if the first one is taken. */
  const storeUnderFreeName = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    admitted: Admitted<T>,
    attemptsLeft = NAME_ATTEMPTS,
  ): Promise<T> => {
    const { object, another } = admitted;
    try {
      return await store(resource, admitted);
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (!another) throw alreadyExists(resource, object.metadata.name);
      if (attemptsLeft <= 1) throw noUniqueName(error);
      return storeUnderFreeName(resource, { ...admitted, object: await another() }, attemptsLeft - 1);
    }
  };

  const createDecoded = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    object: T,
    write: WriteOptions,
  ): Promise<Written<T>> => {
    if (object.metadata.resourceVersion) {
      throw badRequest('resourceVersion should not be set on objects to be created');
    }
    const namespace = write.scope === 'all' ? undefined : await requireNamespace(options, resource, object);
    const track = write.track ?? trackerOf(resource, write, clock.now());
    const unchanged = { resource, object, old: undefined, scoped: (one: T) => one, track };
    const mutated = await mutatedBy(unchanged, write);
    return warning(mutated.warnings, async () => {
      const written = await createMutated(resource, mutated, { name: object.metadata, namespace }, write);
      return { ...written, warnings: [...mutated.warnings, ...written.warnings] };
    });
  };

  /**
   * `requested.name`: the name in the object that the client has sent, which is passed to admission. It may still have
   * to be generated.
   */
  const createMutated = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    mutated: Mutated<T>,
    requested: { name: ObjectMeta; namespace: KubeObject | undefined },
    write: WriteOptions,
  ): Promise<Written<T>> => {
    const { object } = mutated;
    await write.mayRelate?.(object);
    const related = await options.relatedRules?.(resource, object, undefined);
    const admitted = await warning(related?.warnings ?? [], async () => admit(resource, mutated, write, related));
    await write.guard?.(admitted);
    const attempt = attemptOf('CREATE', resource, { object: () => admitted, dryRun: write.dryRun }, requested.name);
    const ofOthers = (await write.admission?.validate(attempt)) ?? [];
    const warnings = [...(resource.warnings?.(admitted, undefined) ?? []), ...(related?.warnings ?? []), ...ofOthers];
    if (write.dryRun) {
      await refuseExisting(options, resource, admitted);
      await storage.checkCreate?.(resource, admitted);
      const explained = (await write.explain?.({ type: 'created', resource, object: admitted })) ?? [];
      const rehearsed = ((await storage.rehearse?.(resource, admitted)) as T | undefined) ?? admitted;
      return { object: rehearsed, outcome: 'created', warnings: [...warnings, ...explained] };
    }
    const another = object.metadata.name ? undefined : () => admit(resource, mutated, write, related);
    const stored = await storeUnderFreeName(resource, { object: admitted, namespace: requested.namespace, another });
    return { object: stored, outcome: 'created', warnings };
  };

  return async (resource, body, write = {}) => {
    const decoded = decodeObject(resource, body, write);
    const { object, warnings: ofOwners } = withoutDuplicateOwners(decoded.object);
    const warnings = [...decoded.warnings, ...ofOwners];
    const written = await warning(warnings, () => createDecoded(resource, object, write));
    return { ...written, warnings: [...warnings, ...written.warnings] };
  };
};

const isTaken = (error: unknown): error is Error => error instanceof Error && error.name === 'AlreadyExists';

const noUniqueName = (cause: Error): StatusError =>
  new StatusError(
    409,
    'AlreadyExists',
    `${cause.message}, the server was not able to generate a unique name for the object`,
  );

const refuseExisting = async (
  { storage }: RegistryOptions,
  resource: ResourceDefinition,
  { metadata }: KubeObject,
): Promise<void> => {
  const found = await storage.get(resource, metadata.namespace ?? '', metadata.name);
  if (found) throw alreadyExists(resource, metadata.name);
};
