import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import { AlreadyExistsError, ConflictError, NotFoundError } from '../../errors.ts';
import { copyJson } from '../../kube-api/json.ts';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { Former } from '../../kube-api/selectors/selected-parts.ts';
import type { Storage } from '../../kube-api/storage/storage.ts';
import { ifAccepted, isAccepted } from '../conditional-write.ts';
import { instanceOf } from '../indexes/instance-index.ts';
import { type ItemKey, objectKey, resourceKey } from '../keys.ts';
import type { Codec, EncodedObject, FormerState, StoredObject } from './codec.ts';
import type { Counters, Stamp } from './counter.ts';
import { expiryOf, isAlive } from './expiry.ts';
import { formerState, MOST_FORMER_STATES, statesOfReplaced, trimmedStates } from './former-states.ts';
import { LATE_MS, TOMBSTONE_MS } from './history.ts';
import type { ObjectReads } from './reads.ts';
import { referentNames } from './referent-names.ts';

export interface WriteDependencies {
  client: DynamoDBDocumentClient;
  table: string;
  clock: Clock;
  counters: Counters;
  codec: Codec;
  reads: ObjectReads;
}

/** What is stored, as far as it is known. */
type Stored = Pick<StoredObject, 'version'> & Partial<StoredObject>;
/** One conditional write with its version, over `remains` if they are given. */
type Attempt = (stamp: Stamp, remains?: StoredObject) => Promise<Stored>;
/** The meaning of a refusal, given what is stored; undefined: try again with a new version. */
type Explain = (stored: Stored | undefined) => Error | undefined;

interface Write {
  attempt: Attempt;
  explain: Explain;
  /** Whether the write is to be attempted over what remains of a removed or expired object. */
  replacesRemains?: boolean;
}

/** The newest former state contains the version until which it was valid. */
const FORMERLY_UNTIL = 'formerly[0].#until';

/** The attributes that contain the version with which the change came. */
const stampedWith = ({ version, created, formerly }: Stored): string[] => [
  'version',
  ...(created === version ? ['created'] : []),
  ...(formerly?.[0]?.until === version ? [FORMERLY_UNTIL] : []),
];

/**
 * A further attempt only follows a refusal whose cause has disappeared, so this many attempts mean that something is
 * broken.
 */
const ATTEMPTS = 10;

const label = (resource: ResourceId, { metadata: { name } }: KubeObject): string =>
  `${resource.plural}${resource.group && `.${resource.group}`} "${name}"`;

const withVersion = (object: KubeObject, version: number): KubeObject => {
  const copy = copyJson(object) as KubeObject;
  copy.metadata.resourceVersion = String(version);
  return copy;
};

const keyOf = (resource: ResourceId, { metadata: { namespace = '', name } }: KubeObject): ItemKey =>
  objectKey(resource, namespace, name);

/** The version that is to be replaced. Throws ConflictError if the object has none. */
const expectedVersion = (resource: ResourceId, object: KubeObject): number => {
  const version = Number(object.metadata.resourceVersion);
  if (Number.isSafeInteger(version) && version > 0) return version;
  throw new ConflictError(`${label(resource, object)}: metadata.resourceVersion must name the version to replace`);
};

/**
 * The three writes. Each takes a version and then makes a conditional write: two calls without conflicts. The version
 * with which an object is stored is always above the one that it replaces, also for a name that was used before
 * (tombstone). Such a creation takes two more calls, because it stores what watches know of the previous object.
 */
export const objectWrites = (deps: WriteDependencies): Pick<Storage, 'create' | 'update' | 'remove'> => {
  const { client, table, clock, counters, codec, reads } = deps;

  const isLate = ({ at }: Stamp): boolean => clock.now().getTime() - at > LATE_MS;

  /** Replaces the version in these attributes. False if `late` was overwritten in the meantime. */
  const restamp = (key: ItemKey, late: Stamp, version: number, attributes: readonly string[]): Promise<boolean> =>
    isAccepted(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: key,
          UpdateExpression: `SET ${attributes.map((attribute) => `${attribute} = :version`).join(', ')}`,
          ...(attributes.includes(FORMERLY_UNTIL) ? { ExpressionAttributeNames: { '#until': 'until' } } : {}),
          ConditionExpression: 'version = :late',
          ExpressionAttributeValues: { ':version': version, ':late': late.version },
        }),
      ),
    );

  /**
   * A delayed write became visible when watchers may have stopped waiting for its version. A newer version shows it to
   * them, unless that is late as well: then another one follows. If it was overwritten in the meantime, they see the
   * new write.
   */
  const showAgain = async (
    resource: ResourceId,
    object: KubeObject,
    stamp: Stamp,
    written: Stored,
  ): Promise<number> => {
    let shown = stamp;
    for (let tries = 0; isLate(shown) && tries < ATTEMPTS; tries += 1) {
      const next = await counters.take(resource, object.metadata.namespace ?? '', object.metadata.name);
      if (!(await restamp(keyOf(resource, object), shown, next.version, stampedWith(written)))) {
        await counters.burn(resource, next.version);
        break;
      }
      shown = next;
    }
    return shown.version;
  };

  /** What is stored after an attempt. It has another version if the attempt was refused. */
  const storedAfter = async (
    key: ItemKey,
    stamp: Stamp,
    how: Write,
    remains?: StoredObject,
  ): Promise<Stored | undefined> => {
    const written = await ifAccepted(how.attempt(stamp, remains));
    if (written) return written;
    // It may have our own version: the SDK made another attempt after the response to a successful one was lost.
    const stored = await reads.get(key);
    // Watchers of a tombstone with a higher version, which was written after ours was taken, would see the past.
    const isReplaceable = stored && !isAlive(stored, clock.now()) && stored.version < stamp.version;
    return how.replacesRemains && isReplaceable && !remains ? storedAfter(key, stamp, how, stored) : stored;
  };

  /** The version with which the object is stored now, or the meaning of a refusal (undefined: try again). */
  const tryOnce = async (resource: ResourceId, object: KubeObject, how: Write): Promise<number | Error | undefined> => {
    const stamp = await counters.take(resource, object.metadata.namespace ?? '', object.metadata.name);
    const stored = await storedAfter(keyOf(resource, object), stamp, how);
    if (stored?.version === stamp.version) return showAgain(resource, object, stamp, stored);
    await counters.burn(resource, stamp.version);
    return how.explain(stored);
  };

  const write = async (resource: ResourceId, object: KubeObject, how: Write) => {
    for (let tries = 0; tries < ATTEMPTS; tries += 1) {
      const outcome = await tryOnce(resource, object, how);
      if (typeof outcome === 'number') return withVersion(object, outcome);
      if (outcome) throw outcome;
    }
    throw new ConflictError(`${label(resource, object)}: written by others at each of ${ATTEMPTS} attempts`);
  };

  const explainReplace =
    (resource: ResourceId, object: KubeObject): Explain =>
    (stored) =>
      stored === undefined || stored.deletedAt !== undefined
        ? new NotFoundError(`${label(resource, object)} not found`)
        : new ConflictError(`${label(resource, object)}: a newer version is stored`);

  const replace = (
    resource: ResourceId,
    object: KubeObject,
    expected: number,
    changes: { set: Record<string, unknown>; remove: string[] },
    formerly?: { expression: string; values: Record<string, unknown> },
  ) => {
    const names = [...Object.keys(changes.set), ...changes.remove];
    const set = Object.keys(changes.set).map((name) => `#${name} = :${name}`);
    if (formerly) set.push(formerly.expression);
    const values = Object.entries(changes.set).map(([name, value]) => [`:${name}`, value]);
    const remove = changes.remove.length > 0 ? ` REMOVE ${changes.remove.map((name) => `#${name}`).join(', ')}` : '';
    return client.send(
      new UpdateCommand({
        TableName: table,
        Key: keyOf(resource, object),
        UpdateExpression: `SET ${set.join(', ')}${remove}`,
        ConditionExpression: 'version = :expected AND attribute_not_exists(deletedAt)',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: { ...Object.fromEntries(values), ...formerly?.values, ':expected': expected },
        ...(formerly ? { ReturnValues: 'UPDATED_NEW' } : {}),
      }),
    );
  };

  /** Drops the oldest former states if there are many. If another writer is faster, that writer does so. */
  const trim = async (resource: ResourceId, object: KubeObject, version: number, states: readonly FormerState[]) => {
    if (states.length <= MOST_FORMER_STATES) return;
    const change = { version, formerly: trimmedStates(states) };
    await isAccepted(replace(resource, object, version, { set: change, remove: [] }));
  };

  return {
    create: async (resource, object, cluster, formerOf) => {
      const encoded = await codec.encode(resource, object);
      const attempt: Attempt = async ({ version }, remains) => {
        const previous = remains && (await codec.decode(resource, remains, { unopened: true }));
        const Item: StoredObject = {
          ...keyOf(resource, object),
          resource: resourceKey(resource),
          version,
          created: version,
          cluster,
          instance: instanceOf(resource, object),
          ...referentsAt(object, version),
          expires: expiryOf(resource, clock.now()),
          formerly: previous ? statesOfReplaced(previous, remains.formerly, formerOf, version) : [],
          ...encoded,
        };
        const condition = remains
          ? { ConditionExpression: 'version = :seen', ExpressionAttributeValues: { ':seen': remains.version } }
          : { ConditionExpression: 'attribute_not_exists(pk)' };
        await client.send(new PutCommand({ TableName: table, Item, ...condition }));
        return Item;
      };
      const explain: Explain = (stored) =>
        stored && isAlive(stored, clock.now())
          ? new AlreadyExistsError(`${label(resource, object)} already exists`)
          : undefined;
      return write(resource, object, { attempt, explain, replacesRemains: true });
    },

    update: async (resource, object, cluster, former) => {
      const expected = expectedVersion(resource, object);
      const encoded = await codec.encode(resource, object);
      const instance = instanceOf(resource, object);
      const expires = expiryOf(resource, clock.now());
      const changes = { cluster, instance, ...(expires ? { expires } : {}), ...withSealed(encoded) };
      const attempt: Attempt = async ({ version }) => {
        const set = presentOrRemoved({ version, ...changes, ...referentsAt(object, version) });
        const { Attributes } = await replace(resource, object, expected, set, formerlyWith(former, version));
        const formerly = Attributes?.formerly as FormerState[];
        await trim(resource, object, version, formerly);
        return { version, formerly };
      };
      return write(resource, object, { attempt, explain: explainReplace(resource, object) });
    },

    remove: async (resource, object) => {
      const expected = expectedVersion(resource, object);
      const encoded = await codec.encodeTombstone(resource, object);
      const attempt: Attempt = async ({ version, at }) => {
        const expires = Math.ceil((at + TOMBSTONE_MS) / 1000);
        const changes = {
          version,
          deletedAt: at,
          expires,
          cluster: undefined,
          instance: undefined,
          ...withSealed(encoded),
        };
        await replace(resource, object, expected, presentOrRemoved(changes));
        return { version };
      };
      return write(resource, object, { attempt, explain: explainReplace(resource, object) });
    },
  };
};

/** Adds a former state, if there is one. For items of earlier releases, nothing is known before this version. */
const formerlyWith = (former: Former | undefined, version: number) => {
  const known = 'if_not_exists(formerly, :unknown)';
  const values = { ':unknown': [{ until: version }] };
  if (!former) return { expression: `formerly = ${known}`, values };
  const state = [formerState(former, version)];
  return { expression: `formerly = list_append(:state, ${known})`, values: { ...values, ':state': state } };
};

const referentsAt = (object: KubeObject, version: number) => {
  const referents = referentNames(object);
  return referents === undefined ? {} : { referents, referentsAt: version };
};

const withSealed = ({ body, sealed }: EncodedObject) => ({ body, sealed });

/** Attributes to set, and attributes without a value, which must be removed from the item. */
const presentOrRemoved = (changes: Record<string, unknown>) => ({
  set: Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
  remove: Object.keys(changes).filter((name) => changes[name] === undefined),
});
