import { createHash, generateKeyPairSync } from 'node:crypto';
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import type { KeyPair } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

const fingerprintOf = (material: string): string =>
  (createHash('sha1').update(material).digest('hex').match(/../g) ?? []).join(':');

const add = (ec2: Ec2, name: string | undefined, publicKey: string, tags: ReadonlyMap<string, string>): KeyPair => {
  if (!name) throw new AwsFault('MissingParameter', 'The request must contain the parameter KeyName');
  if (ec2.keyPairs.all().some((pair) => pair.name === name))
    throw new AwsFault('InvalidKeyPair.Duplicate', `The keypair already exists`);
  return ec2.keyPairs.add({ ...ec2.born(KINDS.keyPair, tags), name, publicKey, fingerprint: fingerprintOf(publicKey) });
};

const view = (pair: KeyPair): sdk.KeyPairInfo => ({
  KeyPairId: pair.id,
  KeyName: pair.name,
  KeyFingerprint: pair.fingerprint,
  KeyType: 'rsa',
  CreateTime: new Date(pair.createdAt),
  Tags: tagList(pair.tags),
});

const byName = (ec2: Ec2, names: readonly string[] | undefined): KeyPair[] => {
  const pairs = ec2.keyPairs.seen(undefined);
  const unknown = names?.find((name) => !pairs.some((pair) => pair.name === name));
  if (unknown !== undefined) throw KINDS.keyPair.notFound(unknown);
  return pairs.filter(({ name }) => !names?.length || names.includes(name));
};

/** SSH key pairs. The private key of CreateKeyPair comes from the system's randomness, not from the account's. */
export const keyPairActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateKeyPair: (input) => {
    onlySimulated('ec2:CreateKeyPair', input, ['KeyName', 'KeyType', 'KeyFormat', 'TagSpecifications']);
    if ((input.KeyType ?? 'rsa') !== 'rsa' || (input.KeyFormat ?? 'pem') !== 'pem')
      throw new AwsFault('NotSimulated', 'only RSA keys in PEM format are simulated', 501);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const pair = add(ec2, input.KeyName, publicKey, tagsFor(input.TagSpecifications, 'key-pair'));
    const { KeyPairId, KeyName, KeyFingerprint, Tags } = view(pair);
    return { KeyPairId, KeyName, KeyFingerprint, Tags, KeyMaterial: privateKey };
  },
  ImportKeyPair: (input) => {
    onlySimulated('ec2:ImportKeyPair', input, ['KeyName', 'PublicKeyMaterial', 'TagSpecifications']);
    const material = Buffer.from(input.PublicKeyMaterial ?? []).toString('utf8');
    if (!/^(ssh-rsa|ssh-ed25519) /.test(material))
      throw new AwsFault('InvalidKey.Format', 'Key is not in valid OpenSSH public key format');
    const pair = add(ec2, input.KeyName, material, tagsFor(input.TagSpecifications, 'key-pair'));
    const { KeyPairId, KeyName, KeyFingerprint, Tags } = view(pair);
    return { KeyPairId, KeyName, KeyFingerprint, Tags };
  },
  DescribeKeyPairs: ({ KeyNames, KeyPairIds, Filters }) => {
    const named = byName(ec2, KeyNames);
    const asked = KeyPairIds?.length ? ec2.keyPairs.seen(KeyPairIds).filter((pair) => named.includes(pair)) : named;
    const found = applyFilters(asked, Filters, {
      'key-pair-id': ({ id }) => id,
      'key-name': ({ name }) => name,
      fingerprint: ({ fingerprint }) => fingerprint,
    });
    return { KeyPairs: found.map(view) };
  },
  DeleteKeyPair: ({ KeyName, KeyPairId }) => {
    const pair = ec2.keyPairs.all().find(({ id, name }) => id === KeyPairId || name === KeyName);
    // Deleting a key pair that does not exist succeeds, as on AWS.
    if (pair) ec2.keyPairs.remove(pair.id);
    return { Return: true, KeyPairId: pair?.id };
  },
});
