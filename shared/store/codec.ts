import { gunzipSync, gzipSync } from 'node:zlib';
import { readJson } from '../decode/json.ts';
import { TooLargeError } from '../errors.ts';
import type { KubeObject, ResourceId } from '../kube-api/object.ts';
import type { SelectedParts } from '../kube-api/selectors/selected-parts.ts';
import type { ItemKey } from './keys.ts';
import type { Sealer } from './sealer.ts';

/** What was so until the version `until` was written. Without `parts`, nothing is known of the time before. */
export interface FormerState {
  until: number;
  parts?: SelectedParts;
}

/** An object as it lies in the table. */
export interface StoredObject extends ItemKey {
  /** Key of the index by version. */
  resource: string;
  version: number;
  /** The version with which the object came into being: above a watcher's cursor it is new to the watcher. */
  created: number;
  /** JSON of the object without `resourceVersion` and sealed parts; gzip above 1 KB. */
  body: string | Uint8Array;
  /** A Secret's `data`, sealed. */
  sealed?: Uint8Array;
  cluster?: string;
  /** Key of the index by instance: the id of an AWSMachine's instance. */
  instance?: string;
  /** What the object refers to (referent-names.ts), as of the version `referentsAt`. */
  referents?: string;
  referentsAt?: number;
  /** What selectors could see of the object before, newest first; absent on items that earlier releases wrote. */
  formerly?: FormerState[];
  /** Set on a tombstone: when the object was removed, in milliseconds since 1970. */
  deletedAt?: number;
  /** Second since 1970 from which the table may drop the tombstone, or at which the object ends (expiry.ts). */
  expires?: number;
}

export type EncodedObject = Pick<StoredObject, 'body' | 'sealed'>;

/** A write is billed by the kilobyte, and lists by the bytes that they read: a Machine shrinks to a third. */
const COMPRESS_ABOVE_BYTES = 1024;

/** DynamoDB takes 400 KB an item, keys and attribute names included. */
export const MAX_ENCODED_BYTES = 350 * 1024;

/** Turns objects into what is stored and back; seals and opens the data of Secrets. */
export interface Codec {
  /** Throws TooLargeError above 350 KB (as stored). */
  encode(resource: ResourceId, object: KubeObject): Promise<EncodedObject>;
  /** What remains of a removed object: without the data of a Secret, which is deleted immediately. */
  encodeTombstone(resource: ResourceId, object: KubeObject): Promise<EncodedObject>;
  decode(resource: ResourceId, stored: StoredObject): Promise<KubeObject>;
}

const isSealed = ({ group, plural }: ResourceId): boolean => group === '' && plural === 'secrets';

/** Binds sealed data to its place: moved to another Secret's item it cannot be opened. The context is not secret. */
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
    const sealed = await sealer.seal(plaintext, contextOf(resource, namespace, name));
    return { body: compress(JSON.stringify(open)), sealed };
  };
  const encode: Codec['encode'] = async (resource, object) => {
    const bare = withoutVersion(object);
    const hasSecret = isSealed(resource) && 'data' in bare && bare.data !== undefined;
    const encoded = hasSecret ? await encodeSecret(resource, bare) : { body: compress(JSON.stringify(bare)) };
    checkSize(encoded, object);
    return encoded;
  };
  return {
    encode,
    encodeTombstone: (resource, object) =>
      encode(resource, isSealed(resource) ? ({ ...object, data: undefined } as KubeObject) : object),
    decode: async (resource, { body, sealed, version }) => {
      const object = readJson(expand(body)) as KubeObject;
      object.metadata.resourceVersion = String(version);
      if (!sealed) return object;
      const { namespace = '', name } = object.metadata;
      const plaintext = await sealer.open(sealed, contextOf(resource, namespace, name));
      return { ...object, data: readJson(Buffer.from(plaintext).toString('utf8')) } as KubeObject;
    },
  };
};
