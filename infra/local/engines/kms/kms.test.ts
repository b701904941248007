import { buildClient, CommitmentPolicy, KmsKeyringNode } from '@aws-crypto/client-node';
import {
  CreateGrantCommand,
  CreateKeyCommand,
  DecryptCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  GetKeyPolicyCommand,
  KMS,
  ListGrantsCommand,
  PutKeyPolicyCommand,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';

let test: TestAws;
let kms: KMS;
let KeyId: string;
beforeEach(async () => {
  test = await startTestAws();
  kms = new KMS(test.client);
  KeyId = (await kms.send(new CreateKeyCommand({ Description: 'seals' }))).KeyMetadata?.Arn ?? '';
});
afterEach(async () => {
  kms.destroy();
  await test.aws.close();
});

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
const encrypt = (EncryptionContext?: Record<string, string>, key = KeyId) =>
  kms.send(new EncryptCommand({ KeyId: key, Plaintext: Buffer.from('secret'), EncryptionContext }));

it('describes a key by id and by ARN', async () => {
  const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId: KeyId.split('/')[1] }));

  expect(KeyId).toMatch(/^arn:aws:kms:us-east-1:000000000000:key\/[0-9a-f]{8}-/);
  expect(KeyMetadata).toMatchObject({ Arn: KeyId, Enabled: true, KeyState: 'Enabled', Description: 'seals' });
  expect(await codeOf(kms.send(new DescribeKeyCommand({ KeyId: 'nothing' })))).toBe('NotFoundException');
});

it('decrypts only with the encryption context, in any order', async () => {
  const { CiphertextBlob } = await encrypt({ a: '1', b: '2' });
  const decrypt = (EncryptionContext?: Record<string, string>) =>
    kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));

  expect(text(CiphertextBlob)).not.toContain('secret');
  expect(text((await decrypt({ b: '2', a: '1' })).Plaintext)).toBe('secret');
  expect(await codeOf(decrypt({ a: '1' }))).toBe('InvalidCiphertextException');
  expect(await codeOf(decrypt())).toBe('InvalidCiphertextException');
});

it('refuses ciphertexts that were changed, truncated or created with another key', async () => {
  const { CiphertextBlob = new Uint8Array() } = await encrypt();
  const other = (await kms.send(new CreateKeyCommand({}))).KeyMetadata?.KeyId;
  const changed = Uint8Array.from(CiphertextBlob, (byte, index) =>
    index === CiphertextBlob.length - 1 ? byte ^ 1 : byte,
  );
  const decrypt = (blob: Uint8Array, key?: string) =>
    codeOf(kms.send(new DecryptCommand({ CiphertextBlob: blob, KeyId: key })));

  expect(await decrypt(changed)).toBe('InvalidCiphertextException');
  expect(await decrypt(CiphertextBlob.slice(0, 20))).toBe('InvalidCiphertextException');
  expect(await decrypt(CiphertextBlob, other)).toBe('IncorrectKeyException');
});

it('generates data keys that only it can decrypt', async () => {
  const key = await kms.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }));
  const sealed = await kms.send(new GenerateDataKeyWithoutPlaintextCommand({ KeyId, NumberOfBytes: 64 }));
  const open = async (CiphertextBlob: Uint8Array | undefined) =>
    (await kms.send(new DecryptCommand({ CiphertextBlob }))).Plaintext;

  expect(key.Plaintext).toHaveLength(32);
  expect(await open(key.CiphertextBlob)).toEqual(key.Plaintext);
  expect('Plaintext' in sealed && sealed.Plaintext).toBeFalsy();
  expect(await open(sealed.CiphertextBlob)).toHaveLength(64);
  expect(await codeOf(kms.send(new GenerateDataKeyCommand({ KeyId })))).toBe('ValidationException');
});

it('does not use keys that are disabled or about to be deleted', async () => {
  const { CiphertextBlob } = await encrypt();
  const decrypt = () => codeOf(kms.send(new DecryptCommand({ CiphertextBlob })));

  await kms.send(new DisableKeyCommand({ KeyId }));
  expect(await decrypt()).toBe('DisabledException');
  await kms.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }));
  expect(await decrypt()).toBe('KMSInvalidStateException');
  test.clock.advance(7 * 86_400_000);
  expect(await codeOf(kms.send(new DescribeKeyCommand({ KeyId })))).toBe('NotFoundException');
});

it('serves the keyring of the AWS Encryption SDK', async () => {
  const client = buildClient(CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);
  const newKeyring = () => new KmsKeyringNode({ generatorKeyId: KeyId, clientProvider: () => kms });
  const encryptionContext = { name: 'a secret' };
  const { result } = await client.encrypt(newKeyring(), 'top secret', { encryptionContext });

  const { plaintext, messageHeader } = await client.decrypt(newKeyring(), result);

  expect(plaintext.toString()).toBe('top secret');
  expect(messageHeader.encryptionContext).toMatchObject(encryptionContext);
  expect(test.calls).toContain('kms:GenerateDataKey');
  test.account.failNext('kms', 'Decrypt', { code: 'AccessDeniedException', message: 'no' });
  await expect(client.decrypt(newKeyring(), result)).rejects.toThrow();
});

it('shows the policy and the grants of a key', async () => {
  const policy = async () => JSON.parse((await kms.send(new GetKeyPolicyCommand({ KeyId }))).Policy ?? '');
  expect((await policy()).Statement).toEqual([
    expect.objectContaining({ Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Action: 'kms:*' }),
  ]);
  await kms.send(new PutKeyPolicyCommand({ KeyId, Policy: '{"Statement":[]}' }));
  expect(await policy()).toEqual({ Statement: [] });
  expect(await codeOf(kms.send(new GetKeyPolicyCommand({ KeyId, PolicyName: 'other' })))).toBe('NotFoundException');

  const [one, other] = ['one', 'other'].map((name) => `arn:aws:iam::000000000000:role/${name}`);
  for (const GranteePrincipal of [one, other])
    await kms.send(new CreateGrantCommand({ KeyId, GranteePrincipal, Operations: ['Decrypt', 'CreateGrant'] }));
  const { Grants } = await kms.send(new ListGrantsCommand({ KeyId, GranteePrincipal: other }));
  expect(Grants).toMatchObject([{ KeyId, GranteePrincipal: other, Operations: ['Decrypt', 'CreateGrant'] }]);
  expect((await kms.send(new ListGrantsCommand({ KeyId }))).Grants).toHaveLength(2);
});
