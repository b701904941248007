import { AsyncLocalStorage } from 'node:async_hooks';
import {
  AlgorithmSuiteIdentifier,
  buildClient,
  CommitmentPolicy,
  getLocalCryptographicMaterialsCache,
  type KeyringNode,
  KmsKeyringNode,
  NodeCachingMaterialsManager,
  RawAesKeyringNode,
  RawAesWrappingSuiteIdentifier,
} from '@aws-crypto/client-node';
import type { DecryptCommandInput, GenerateDataKeyCommandInput, KMS } from '@aws-sdk/client-kms';

/**
 * Seals small pieces of data with envelope encryption in the AWS Encryption SDK's message format: AES-256-GCM with key
 * commitment. `context` is bound to the message and is part of it in clear text; `open` needs the same context.
 *
 * The Encryption SDK itself takes data keys and nonces from the system's random source, and its cache reads the
 * system's clock. So sealed bytes differ between runs, but the opened data do not. A simulation accepts that.
 */
export interface Sealer {
  seal(plaintext: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
  /** Throws if the message was changed, or was sealed for another context or with another key. */
  open(sealed: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
}

/** How long data keys are cached. A list of Secrets calls KMS at most once for each key, and so do their writers. */
const CACHE_SECONDS = 300;
const CACHED_KEYS = 1000;
/** After this many messages, a new data key is used. */
const MESSAGES_PER_KEY = 100;

/** Says in a message's context that the name of its place is sealed together with the data, before them. */
const NAME_INSIDE = { form: 'name-inside' } as const;
const LENGTH_BYTES = 2;

const { encrypt, decrypt } = buildClient(CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);

const withName = (name: string, plaintext: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(name, 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(bytes.byteLength);
  return Buffer.concat([length, bytes, plaintext]);
};

const takeName = (message: Buffer): { name: string; plaintext: Uint8Array } => {
  const end = LENGTH_BYTES + message.readUInt16BE();
  return { name: message.toString('utf8', LENGTH_BYTES, end), plaintext: new Uint8Array(message.subarray(end)) };
};

const cached = (keyring: KeyringNode) =>
  new NodeCachingMaterialsManager({
    backingMaterials: keyring,
    cache: getLocalCryptographicMaterialsCache(CACHED_KEYS),
    maxAge: CACHE_SECONDS * 1000,
    maxMessagesEncrypted: MESSAGES_PER_KEY,
  });

/**
 * A data key is for one context without the name, so that the Secrets of a namespace that are written together share
 * one. The name is bound to the message by being sealed in it. Messages of earlier versions have the name in their
 * context.
 */
const overKeyring = (keyring: KeyringNode): Sealer => {
  const [sealing, opening] = [cached(keyring), cached(keyring)];
  return {
    seal: async (plaintext, { name = '', ...shared }) => {
      const { result } = await encrypt(sealing, withName(name, plaintext), {
        encryptionContext: { ...shared, ...NAME_INSIDE },
        suiteId: AlgorithmSuiteIdentifier.ALG_AES256_GCM_IV12_TAG16_HKDF_SHA512_COMMIT_KEY,
      });
      return new Uint8Array(result);
    },
    open: async (sealed, context) => {
      const { plaintext: message, messageHeader } = await decrypt(opening, sealed);
      const { form, ...stated } = messageHeader.encryptionContext;
      const isInside = form === NAME_INSIDE.form;
      const { name, plaintext } = isInside
        ? takeName(message)
        : { name: stated.name, plaintext: new Uint8Array(message) };
      const found: Readonly<Record<string, string | undefined>> = { ...stated, name };
      for (const [key, value] of Object.entries(context)) {
        if (found[key] !== value) {
          throw new Error(`sealed data is of another ${key} than the object that it lies with`);
        }
      }
      return plaintext;
    },
  };
};

/** Holds the error from KMS while data are being opened. */
const openings = new AsyncLocalStorage<{ error?: unknown }>();

/** The keyring wipes the keys that it gets, so each caller needs a separate copy. */
const copied = <T extends { Plaintext?: Uint8Array }>(answer: T): T =>
  answer.Plaintext ? { ...answer, Plaintext: answer.Plaintext.slice() } : answer;

/** Makes one request for concurrent callers with the same key; the cache only contains completed responses. */
const together = <I, T extends { Plaintext?: Uint8Array }>(
  ask: (input: I) => Promise<T>,
  keyOf: (input: I) => string,
) => {
  const pending = new Map<string, Promise<T>>();
  return async (input: I): Promise<T> => {
    const key = keyOf(input);
    const asked = pending.get(key) ?? ask(input).finally(() => pending.delete(key));
    pending.set(key, asked);
    return copied(await asked);
  };
};

const contextKey = (context: Record<string, string> = {}): string => JSON.stringify(Object.entries(context).sort());

/**
 * When a data key cannot be opened, the keyring combines all errors into one text. This client keeps the error itself.
 */
const rememberingErrors = (client: KMS): KMS => {
  const open = together(
    (input: DecryptCommandInput) => client.decrypt(input),
    ({ CiphertextBlob = new Uint8Array(), EncryptionContext }) =>
      `${Buffer.from(CiphertextBlob).toString('base64')} ${contextKey(EncryptionContext)}`,
  );
  const calls = {
    generateDataKey: together(
      (input: GenerateDataKeyCommandInput) => client.generateDataKey(input),
      ({ EncryptionContext }) => contextKey(EncryptionContext),
    ),
    decrypt: async (input: DecryptCommandInput) => {
      try {
        return await open(input);
      } catch (error) {
        const opening = openings.getStore();
        if (opening) opening.error = error;
        throw error;
      }
    },
  };
  // A keyring with one key makes no other calls, whatever its type says.
  return calls as unknown as KMS;
};

/**
 * Seals with data keys of the KMS key `keyArn`. `kms` returns the client for the key's region
 * (shared/aws/clients/kms.ts) and is called once for each region. Errors of KMS are passed on as the SDK's errors.
 */
export const createKmsSealer = ({ keyArn, kms }: { keyArn: string; kms: (region: string) => KMS }): Sealer => {
  const clients = new Map<string, KMS>();
  const clientProvider = (region: string) => {
    const client = clients.get(region) ?? rememberingErrors(kms(region));
    clients.set(region, client);
    return client;
  };
  const sealer = overKeyring(new KmsKeyringNode({ generatorKeyId: keyArn, clientProvider }));
  const open: Sealer['open'] = async (sealed, context) => {
    const opening: { error?: unknown } = {};
    try {
      return await openings.run(opening, () => sealer.open(sealed, context));
    } catch (error) {
      throw opening.error ?? error;
    }
  };
  return { ...sealer, open };
};

/** Seals with a key of 32 bytes that the caller keeps, for tests and tools. Throws for a key of another length. */
export const createRawAesSealer = (key: Uint8Array): Sealer => {
  if (key.byteLength !== 32) throw new Error(`the sealing key must have 32 bytes, not ${key.byteLength}`);
  // The Encryption SDK refuses memory that is shared with other buffers, as is the case for small Buffers.
  const unencryptedMasterKey = new Uint8Array(new ArrayBuffer(32));
  unencryptedMasterKey.set(key);
  return overKeyring(
    new RawAesKeyringNode({
      keyName: 'raw',
      keyNamespace: 'windlass',
      unencryptedMasterKey,
      wrappingSuite: RawAesWrappingSuiteIdentifier.AES256_GCM_IV12_TAG16_NO_PADDING,
    }),
  );
};
