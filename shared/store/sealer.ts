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
 * Seals small pieces of data with envelope encryption: the AWS Encryption SDK's message format, AES-256-GCM with key
 * commitment. `context` is bound to the message and travels in it in the clear: `open` needs the same one.
 *
 * The Encryption SDK draws data keys and nonces from the system's random source itself and its cache reads the system's
 * clock: sealed bytes differ from run to run, what is opened from them does not. A simulation accepts that.
 */
export interface Sealer {
  seal(plaintext: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
  /** Throws where the message was changed, or sealed for another context or with another key. */
  open(sealed: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
}

/** Data keys of messages that were opened are kept so long, so that a list of Secrets asks KMS once for each at most. */
const CACHE_SECONDS = 300;
const CACHED_KEYS = 1000;

const { encrypt, decrypt } = buildClient(CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);

const overKeyring = (keyring: KeyringNode): Sealer => {
  // Only opening is cached: each message keeps a data key of its own.
  const opening = new NodeCachingMaterialsManager({
    backingMaterials: keyring,
    cache: getLocalCryptographicMaterialsCache(CACHED_KEYS),
    maxAge: CACHE_SECONDS * 1000,
  });
  return {
    seal: async (plaintext, context) => {
      const { result } = await encrypt(keyring, plaintext, {
        encryptionContext: { ...context },
        suiteId: AlgorithmSuiteIdentifier.ALG_AES256_GCM_IV12_TAG16_HKDF_SHA512_COMMIT_KEY,
      });
      return new Uint8Array(result);
    },
    open: async (sealed, context) => {
      const { plaintext, messageHeader } = await decrypt(opening, sealed);
      for (const [key, value] of Object.entries(context)) {
        if (messageHeader.encryptionContext[key] !== value) {
          throw new Error(`sealed data is of another ${key} than the object that it lies with`);
        }
      }
      return new Uint8Array(plaintext);
    },
  };
};

/** Where an opening in progress keeps the error that KMS answered with. */
const openings = new AsyncLocalStorage<{ error?: unknown }>();

/** The keyring makes one text of all errors when a data key cannot be opened; this remembers the error itself. */
const rememberingErrors = (client: KMS): KMS => {
  const calls = {
    generateDataKey: (input: GenerateDataKeyCommandInput) => client.generateDataKey(input),
    decrypt: async (input: DecryptCommandInput) => {
      try {
        return await client.decrypt(input);
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
 * Seals with data keys of the KMS key `keyArn`. `kms` makes the client for the key's region (shared/aws/clients/kms.ts)
 * and is called once for each region. Errors of KMS come through as the SDK's.
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

/** Seals with a key of 32 bytes that the caller keeps: for tests and tools. Throws for a key of another length. */
export const createRawAesSealer = (key: Uint8Array): Sealer => {
  if (key.byteLength !== 32) throw new Error(`the sealing key must have 32 bytes, not ${key.byteLength}`);
  // The Encryption SDK refuses memory that other buffers share, as small Buffers do.
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
