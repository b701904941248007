import { gunzipSync, gzipSync } from 'node:zlib';
import { awsCodeOf, describeAwsError, isKeyUnusable, isServerFault, isThrottling } from '../../aws/errors.ts';
import { readJson } from '../../decode/json.ts';
import { SealError, TooLargeError } from '../../errors.ts';
import { hasMoreValues } from '../../kube-api/json.ts';
import type { KubeObject, ResourceId } from '../../kube-api/object.ts';
import type { SelectedParts } from '../../kube-api/selectors/selected-parts.ts';
import type { ReadBudget } from '../../kube-api/storage/read-budget.ts';
import type { ReadOptions } from '../../kube-api/storage/storage.ts';
import { SEALED, type Unopened } from '../../kube-api/unopened.ts';
import type { ItemKey } from '../keys.ts';
import type { Sealer } from './sealer.ts';

/** The state until the version `until` was written. If `parts` is missing, nothing is known about earlier states. */
export interface FormerState {
  until: number;
  parts?: SelectedParts;
}

/** An object as it is stored in the table. */
export interface StoredObject extends ItemKey {
  /** Key of the index by version. */
  resource: string;
  version: number;
  /** The version with which the object was created. To a watcher with a lower cursor the object is new. */
  created: number;
  /** The JSON of the object without `resourceVersion` and sealed parts; compressed with gzip above 1 KB. */
  body: string | Uint8Array;
  /** A Secret's `data` in sealed form. */
  sealed?: Uint8Array;
  cluster?: string;
  /** Key of the index by instance: the instance id of an AWSMachine. */
  instance?: string;
  /** The objects to which the object refers (referent-names.ts), as of the version `referentsAt`. */
  referents?: string;
  referentsAt?: number;
  /**
   * The former states of the object, and of removed ones with its name, as far as selectors see them, newest first;
   * absent on items that earlier releases have written.
   */
  formerly?: FormerState[];
  /** Set on a tombstone: when the object was removed, in milliseconds since 1970. */
  deletedAt?: number;
  /** The second since 1970 from which the table may drop the tombstone, or in which the object expires (expiry.ts). */
  expires?: number;
}

export type EncodedObject = Pick<StoredObject, 'body' | 'sealed'>;

/**
 * Writes are billed by the kilobyte, and lists by the bytes that they read. Compression reduces a Machine to a third.
 */
const COMPRESS_ABOVE_BYTES = 1024;

/** DynamoDB's limit for an item is 400 KB, including keys and attribute names. */
export const MAX_ENCODED_BYTES = 350 * 1024;

/** The size limits of an object in memory. */
interface Limits {
  bytes: number;
  values: number;
}

/** etcd accepts 1.5 MiB per request. */
const ANY: Limits = { bytes: 1536 * 1024, values: 100_000 };

/**
 * During a sweep the objects of all tenants are in memory at once, and compression reduces a list of equal values to a
 * thousandth.
 */
const OF_THE_FLEET: Limits = { bytes: 512 * 1024, values: 50_000 };

const isOfTheFleet = ({ group }: ResourceId): boolean => /(^|\.)(cluster\.x-k8s\.io|windlass\.dev)$/.test(group);

/** The minimum length of a value and the separator after it. */
const LEAST_BYTES_OF_A_VALUE = 2;

const checkLimits = (resource: ResourceId, object: KubeObject, json: string): void => {
  const { bytes, values } = isOfTheFleet(resource) ? OF_THE_FLEET : ANY;
  const { name } = object.metadata;
  const length = Buffer.byteLength(json);
  if (length > bytes) throw new TooLargeError(`"${name}" has ${length} bytes of JSON; at most ${bytes} can be kept`);
  if (length > values * LEAST_BYTES_OF_A_VALUE && hasMoreValues(object, values))
    throw new TooLargeError(`"${name}" has more than ${values} fields and list items; no more can be kept`);
};

/** Converts objects to their stored form and back; seals and opens the data of Secrets. */
export interface Codec {
  /**
   * Throws TooLargeError above 350 KB (in stored form) or if the object would take too much memory when it is read, and
   * SealError.
   */
  encode(resource: ResourceId, object: KubeObject): Promise<EncodedObject>;
  /** The remaining data of a removed object. The data of a Secret are deleted immediately. */
  encodeTombstone(resource: ResourceId, object: KubeObject): Promise<EncodedObject>;
  /** Throws SealError with the name of the Secret if its data cannot be opened. */
  decode(resource: ResourceId, stored: StoredObject, options?: ReadOptions): Promise<KubeObject>;
  /** Undefined if the budget excludes the namespace of the object. */
  decodeWithin(
    budget: ReadBudget,
    resource: ResourceId,
    namespace: string,
    stored: StoredObject,
  ): Promise<KubeObject | undefined>;
}

/**
 * The error for what KMS or the Encryption SDK throws when data are sealed or opened, if another attempt cannot help.
 */
const refusal = (doing: string, { namespace, name }: Record<string, string>, error: unknown): unknown => {
  if (!(error instanceof Error) || isServerFault(error) || isThrottling(error)) return error;
  const isOfAws = awsCodeOf(error) !== undefined;
  if (isOfAws && !isKeyUnusable(error)) return error;
  // The Encryption SDK has its own wording for an error with another key.
  const why = isOfAws ? describeAwsError(error) : error.message;
  return new SealError(`the data of Secret ${namespace}/${name} cannot be ${doing}: ${why}`, { cause: error });
};

const isSealed = ({ group, plural }: ResourceId): boolean => group === '' && plural === 'secrets';

/** Binds sealed data to its place: in another Secret's item it cannot be opened. The context is not secret. */
const contextOf = ({ group, plural }: ResourceId, namespace: string, name: string): Record<string, string> => ({
  group: group || 'core',
  plural,
  namespace,
  name,
});

const compress = (json: string): string | Uint8Array =>
  Buffer.byteLength(json) > COMPRESS_ABOVE_BYTES ? gzipSync(json) : json;

const expand = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : gunzipSync(body).toString('utf8');

/** The number of JSON bytes in a body, without decompressing it: gzip ends with the uncompressed length. */
const bytesOf = (body: string | Uint8Array): number =>
  typeof body === 'string' ? body.length : Buffer.from(body.slice(-4)).readUInt32LE();

/** The number of bytes in the JSON of an object and in its sealed data. */
export const expandedBytes = ({ body, sealed }: EncodedObject): number => bytesOf(body) + (sealed?.byteLength ?? 0);

/** The size of a body that is larger than the current limit, because an earlier version stored it. Otherwise 0. */
const excessOf = (body: string | Uint8Array): number => {
  const bytes = bytesOf(body);
  return bytes > ANY.bytes ? bytes : 0;
};

/** Whether a text may contain characters that take two bytes in memory. */
const isWide = (text: string): boolean => Buffer.byteLength(text) !== text.length || text.includes('\\u');

const withoutVersion = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: undefined },
});

const checkSize = ({ body, sealed }: EncodedObject, { metadata: { name } }: KubeObject): void => {
  const bytes = Buffer.byteLength(body) + (sealed?.byteLength ?? 0);
  if (bytes <= MAX_ENCODED_BYTES) return;
  throw new TooLargeError(`"${name}" has ${bytes} bytes as stored; at most ${MAX_ENCODED_BYTES} can be kept`);
};

export const createCodec = (sealer: Sealer): Codec => {
  const encodeSecret = async (resource: ResourceId, object: KubeObject & { data?: unknown }) => {
    const { data, ...open } = object;
    const { namespace = '', name } = object.metadata;
    const plaintext = Buffer.from(JSON.stringify(data));
    const context = contextOf(resource, namespace, name);
    const sealed = await sealer.seal(plaintext, context).catch((error) => {
      throw refusal('sealed', context, error);
    });
    return { body: compress(JSON.stringify(open)), sealed };
  };
  const encodeAny = async (
    resource: ResourceId,
    object: KubeObject,
    check: typeof checkLimits | undefined,
  ): Promise<EncodedObject> => {
    const bare = withoutVersion(object);
    const hasSecret = isSealed(resource) && 'data' in bare && bare.data !== undefined;
    const json = JSON.stringify(bare);
    check?.(resource, bare, json);
    const unopened = (object as Unopened)[SEALED];
    const encoded = hasSecret ? await encodeSecret(resource, bare) : { body: compress(json), sealed: unopened };
    checkSize(encoded, object);
    return encoded;
  };
  const openSealed = async (resource: ResourceId, object: KubeObject, sealed: Uint8Array): Promise<KubeObject> => {
    const { namespace = '', name } = object.metadata;
    const context = contextOf(resource, namespace, name);
    const plaintext = await sealer.open(sealed, context).catch((error) => {
      throw refusal('opened', context, error);
    });
    return { ...object, data: readJson(Buffer.from(plaintext).toString('utf8')) } as KubeObject;
  };
  const decodeText = async (
    resource: ResourceId,
    { sealed, version }: StoredObject,
    text: string,
    { unopened = false }: ReadOptions = {},
  ): Promise<KubeObject> => {
    const object = readJson(text) as KubeObject;
    object.metadata.resourceVersion = String(version);
    if (!sealed) return object;
    return unopened ? ({ ...object, [SEALED]: sealed } as Unopened) : openSealed(resource, object, sealed);
  };
  return {
    encode: (resource, object) => encodeAny(resource, object, checkLimits),
    // An object that an earlier version has stored can be removed, whatever its size.
    encodeTombstone: (resource, object) =>
      encodeAny(
        resource,
        isSealed(resource) ? ({ ...object, data: undefined, [SEALED]: undefined } as Unopened) : object,
        undefined,
      ),
    decode: (resource, stored, options) => decodeText(resource, stored, expand(stored.body), options),
    decodeWithin: async (budget, resource, namespace, stored) => {
      if (!budget.charge(namespace, excessOf(stored.body))) return undefined;
      const text = expand(stored.body);
      const object = await decodeText(resource, stored, text);
      return budget.admit(namespace, object, isWide(text)) ? object : undefined;
    },
  };
};
