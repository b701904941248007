import type * as sdk from '@aws-sdk/client-kms';
import { AwsFault, notSimulated, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { open, seal } from './ciphertext.ts';
import { grantActions } from './grants.ts';
import { addKey, getKey, getUsableKey, type Key, type Kms } from './state.ts';

const MOST_PLAINTEXT_BYTES = 4096;
const MOST_DATA_KEY_BYTES = 1024;
const DAY_MILLISECONDS = 86_400_000;
const ALGORITHM = 'SYMMETRIC_DEFAULT';

const view = (kms: Kms, key: Key): sdk.KeyMetadata => ({
  AWSAccountId: kms.place.accountId,
  KeyId: key.id,
  Arn: key.arn,
  Description: key.description,
  CreationDate: key.createdAt,
  DeletionDate: key.deletionDate,
  Enabled: key.state === 'Enabled',
  KeyState: key.state,
  KeyManager: 'CUSTOMER',
  KeyUsage: 'ENCRYPT_DECRYPT',
  KeySpec: ALGORITHM,
  EncryptionAlgorithms: [ALGORITHM],
  MultiRegion: false,
  Origin: 'AWS_KMS',
});

const checkAlgorithm = (algorithm: string | undefined): void => {
  if (algorithm !== undefined && algorithm !== ALGORITHM) throw notSimulated(`the KMS algorithm ${algorithm}`);
};

const lengthOf = ({ KeySpec, NumberOfBytes }: sdk.GenerateDataKeyRequest): number => {
  if ((KeySpec === undefined) === (NumberOfBytes === undefined))
    throw new AwsFault('ValidationException', 'Please specify either number of bytes or key spec.');
  const length = NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32);
  if (length < 1 || length > MOST_DATA_KEY_BYTES)
    throw new AwsFault('ValidationException', `NumberOfBytes must be between 1 and ${MOST_DATA_KEY_BYTES}`);
  return length;
};

const newDataKey = (kms: Kms, input: sdk.GenerateDataKeyRequest) => {
  const { random } = kms.place;
  onlySimulated('kms:GenerateDataKey', input, [
    'KeyId',
    'EncryptionContext',
    'KeySpec',
    'NumberOfBytes',
    'GrantTokens',
  ]);
  const key = getUsableKey(kms, input.KeyId);
  const plaintext = random.bytes(lengthOf(input));
  return {
    KeyId: key.arn,
    Plaintext: plaintext,
    CiphertextBlob: seal(random, key, plaintext, input.EncryptionContext),
  };
};

const setState = (kms: Kms, id: string | undefined, state: 'Enabled' | 'Disabled') => {
  const key = getKey(kms, id);
  if (key.state === 'PendingDeletion')
    throw new AwsFault('KMSInvalidStateException', `${key.arn} is pending deletion.`);
  key.state = state;
  return {};
};

const scheduleDeletion = (kms: Kms, { KeyId, PendingWindowInDays: days = 30 }: sdk.ScheduleKeyDeletionRequest) => {
  const key = getKey(kms, KeyId);
  if (days < 7 || days > 30) throw new AwsFault('ValidationException', 'PendingWindowInDays must be between 7 and 30');
  key.state = 'PendingDeletion';
  key.deletionDate = new Date(kms.place.clock.now().getTime() + days * DAY_MILLISECONDS);
  return { KeyId: key.arn, DeletionDate: key.deletionDate, KeyState: key.state, PendingWindowInDays: days };
};

const keyActions = (kms: Kms): Handlers<typeof sdk> => ({
  CreateKey: (input) => {
    // A policy is stored, and tags are accepted, but the simulation enforces no permissions.
    onlySimulated('kms:CreateKey', input, ['Description', 'Policy', 'Tags', 'KeyUsage', 'KeySpec', 'Origin']);
    checkAlgorithm(input.KeySpec);
    const key = addKey(kms, input.Description ?? '');
    if (input.Policy !== undefined) kms.policies.set(key.id, input.Policy);
    return { KeyMetadata: view(kms, key) };
  },
  DescribeKey: ({ KeyId }) => ({ KeyMetadata: view(kms, getKey(kms, KeyId)) }),
  ListKeys: () => ({
    Keys: [...kms.keys.values()].map(({ id, arn }) => ({ KeyId: id, KeyArn: arn })),
    Truncated: false,
  }),
  EnableKey: ({ KeyId }) => setState(kms, KeyId, 'Enabled'),
  DisableKey: ({ KeyId }) => setState(kms, KeyId, 'Disabled'),
  ScheduleKeyDeletion: (input) => scheduleDeletion(kms, input),
  CancelKeyDeletion: ({ KeyId }) => {
    const key = getKey(kms, KeyId);
    key.deletionDate = undefined;
    key.state = 'Disabled';
    return { KeyId: key.arn };
  },
});

/** Symmetric KMS keys: creates them, encrypts with them and generates data keys. */
export const kmsHandlers = (kms: Kms): Handlers<typeof sdk> => ({
  ...keyActions(kms),
  ...grantActions(kms),
  Encrypt: (input) => {
    const known = ['KeyId', 'Plaintext', 'EncryptionContext', 'EncryptionAlgorithm', 'GrantTokens'];
    onlySimulated('kms:Encrypt', input, known);
    checkAlgorithm(input.EncryptionAlgorithm);
    const plaintext = input.Plaintext ?? new Uint8Array();
    if (plaintext.length === 0 || plaintext.length > MOST_PLAINTEXT_BYTES)
      throw new AwsFault('ValidationException', `Plaintext must have 1 to ${MOST_PLAINTEXT_BYTES} bytes`);
    const key = getUsableKey(kms, input.KeyId);
    const CiphertextBlob = seal(kms.place.random, key, plaintext, input.EncryptionContext);
    return { KeyId: key.arn, CiphertextBlob, EncryptionAlgorithm: ALGORITHM };
  },
  Decrypt: (input) => {
    const known = ['KeyId', 'CiphertextBlob', 'EncryptionContext', 'EncryptionAlgorithm', 'GrantTokens'];
    onlySimulated('kms:Decrypt', input, known);
    checkAlgorithm(input.EncryptionAlgorithm);
    const wanted = input.KeyId === undefined ? undefined : getUsableKey(kms, input.KeyId);
    const { key, plaintext } = open(kms, input.CiphertextBlob ?? new Uint8Array(), input.EncryptionContext);
    if (wanted && wanted.id !== key.id)
      throw new AwsFault(
        'IncorrectKeyException',
        'The key ID in the request does not identify a CMK that can perform this operation.',
      );
    return { KeyId: key.arn, Plaintext: plaintext, EncryptionAlgorithm: ALGORITHM };
  },
  GenerateDataKey: (input) => newDataKey(kms, input),
  GenerateDataKeyWithoutPlaintext: (input) => {
    const { KeyId, CiphertextBlob } = newDataKey(kms, input);
    return { KeyId, CiphertextBlob };
  },
});
