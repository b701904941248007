import {
  buildClient,
  CommitmentPolicy,
  RawAesKeyringNode,
  RawAesWrappingSuiteIdentifier,
} from '@aws-crypto/client-node';
import type { KMS } from '@aws-sdk/client-kms';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../seeded-random.ts';
import { createKmsSealer, createRawAesSealer, type Sealer } from './sealer.ts';

const KEY_ARN = 'arn:aws:kms:eu-central-1:000000000000:key/11111111-2222-3333-4444-555555555555';
const context = { group: 'core', plural: 'secrets', namespace: 'default', name: 'demo-ca' };
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const plaintext = Buffer.from('-----BEGIN PRIVATE KEY-----');

type Context = Record<string, string>;
const canonical = (encryptionContext: Context): string => JSON.stringify(Object.entries(encryptionContext).sort());

/** The part of KMS that a keyring needs. A "ciphertext" is an index of the stored keys and contexts. */
const fakeKms = () => {
  const keys: { Plaintext: Uint8Array; context: string }[] = [];
  const regions: string[] = [];
  const calls: string[] = [];
  let failure: Error | undefined;
  const client = {
    generateDataKey: async (input: { EncryptionContext: Context; NumberOfBytes: number }) => {
      calls.push('GenerateDataKey');
      const Plaintext = seededRandom(keys.length + 1).bytes(input.NumberOfBytes);
      keys.push({ Plaintext: Plaintext.slice(), context: canonical(input.EncryptionContext) });
      return { KeyId: KEY_ARN, Plaintext, CiphertextBlob: Uint8Array.of(keys.length - 1) };
    },
    decrypt: async (input: { CiphertextBlob: Uint8Array; EncryptionContext: Context }) => {
      calls.push('Decrypt');
      if (failure) throw failure;
      const key = keys[input.CiphertextBlob[0] ?? -1];
      if (key?.context !== canonical(input.EncryptionContext)) throw new Error('InvalidCiphertextException');
      return { KeyId: KEY_ARN, Plaintext: key.Plaintext.slice() };
    },
  };
  const sealer = (): Sealer =>
    createKmsSealer({
      keyArn: KEY_ARN,
      kms: (region) => {
        regions.push(region);
        return client as unknown as KMS;
      },
    });
  const failWith = (error: Error) => {
    failure = error;
  };
  return { sealer, calls, regions, failWith };
};

describe.each([
  ['KMS', () => fakeKms().sealer()],
  ['a raw key', () => createRawAesSealer(seededRandom(9).bytes(32))],
])('a sealer over %s', (_, makeSealer) => {
  it('opens what it has sealed, and does not reveal it', async () => {
    const sealer = makeSealer();
    const sealed = await sealer.seal(plaintext, context);
    expect(text(sealed)).not.toContain('PRIVATE');
    expect(text(await sealer.open(sealed, context))).toBe(text(plaintext));
  });

  it('refuses data that was sealed for another name', async () => {
    const sealer = makeSealer();
    const sealed = await sealer.seal(plaintext, context);
    await expect(sealer.open(sealed, { ...context, name: 'other' })).rejects.toThrow('another name');
  });

  it('refuses data with a changed byte, at the front, in the middle and at the end', async () => {
    const sealer = makeSealer();
    const sealed = await sealer.seal(plaintext, context);
    for (const place of [0, Math.floor(sealed.length / 2), sealed.length - 1]) {
      const changed = Uint8Array.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ 1;
      await expect(sealer.open(changed, context)).rejects.toThrow();
    }
  });

  it('seals empty and large data', async () => {
    const sealer = makeSealer();
    for (const data of [new Uint8Array(0), seededRandom(4).bytes(200_000)]) {
      expect(Buffer.from(await sealer.open(await sealer.seal(data, context), context)).equals(data)).toBe(true);
    }
  });
});

describe('a sealer over KMS', () => {
  const sealMany = (sealer: Sealer, count: number, of: Context = context): Promise<Uint8Array[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => sealer.seal(plaintext, { ...of, name: `s-${index}` })));
  const count = (calls: readonly string[], name: string): number => calls.filter((call) => call === name).length;

  it('calls KMS once for data that is written and read together, however often the data is opened', async () => {
    const { sealer, calls, regions } = fakeKms();
    const sealed = await sealMany(sealer(), 40);
    const opening = sealer();
    for (let round = 0; round < 3; round += 1) {
      const opened = await Promise.all(
        sealed.map((bytes, index) => opening.open(bytes, { ...context, name: `s-${index}` })),
      );
      expect(opened.every((bytes) => Buffer.from(bytes).equals(plaintext))).toBe(true);
    }
    expect(calls).toEqual(['GenerateDataKey', 'Decrypt']);
    expect(regions).toEqual(['eu-central-1', 'eu-central-1']);
  });

  it('uses a new data key for another namespace, and after a hundred messages', async () => {
    const { sealer, calls } = fakeKms();
    const one = sealer();
    await one.seal(plaintext, context);
    await one.seal(plaintext, { ...context, namespace: 'other' });
    expect(count(calls, 'GenerateDataKey')).toBe(2);
    for (let index = 0; index < 100; index += 1) await one.seal(plaintext, context);
    expect(count(calls, 'GenerateDataKey')).toBe(3);
  });

  it('seals the same data under the same key differently each time', async () => {
    const one = fakeKms().sealer();
    const [first = new Uint8Array(), second = new Uint8Array()] = [
      await one.seal(plaintext, context),
      await one.seal(plaintext, context),
    ];
    expect(Buffer.from(first).equals(second)).toBe(false);
  });

  it('opens data that an earlier version sealed with the name in the context, but only under that name', async () => {
    const key = new Uint8Array(new ArrayBuffer(32)).fill(3);
    const { encrypt } = buildClient(CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);
    const keyring = new RawAesKeyringNode({
      keyName: 'raw',
      keyNamespace: 'windlass',
      unencryptedMasterKey: key.slice(),
      wrappingSuite: RawAesWrappingSuiteIdentifier.AES256_GCM_IV12_TAG16_NO_PADDING,
    });
    const { result } = await encrypt(keyring, plaintext, { encryptionContext: { ...context } });
    const sealer = createRawAesSealer(key);
    expect(text(await sealer.open(result, context))).toBe(text(plaintext));
    await expect(sealer.open(result, { ...context, name: 'other' })).rejects.toThrow('another name');
  });

  it('passes errors of KMS on, so that a caller can tell throttling from refusal', async () => {
    const { sealer, failWith } = fakeKms();
    const sealed = await sealer().seal(plaintext, context);
    const throttled = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
    failWith(throttled);
    await expect(sealer().open(sealed, context)).rejects.toBe(throttled);
  });

  it('cannot open data that was sealed with another key', async () => {
    const sealed = await createRawAesSealer(seededRandom(1).bytes(32)).seal(plaintext, context);
    await expect(createRawAesSealer(seededRandom(2).bytes(32)).open(sealed, context)).rejects.toThrow();
    await expect(fakeKms().sealer().open(sealed, context)).rejects.toThrow();
  });

  it('refuses a raw key of the wrong length, and names the length', () => {
    expect(() => createRawAesSealer(new Uint8Array(16))).toThrow('32 bytes, not 16');
  });
});
