import type * as sdk from '@aws-sdk/client-kms';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { randomHex } from '../wire/place.ts';
import { type Grant, getKey, type Kms } from './state.ts';

/** KMS's default key policy: IAM policies decide. */
const usualPolicy = (accountId: string): string => {
  const Principal = { AWS: `arn:aws:iam::${accountId}:root` };
  const Sid = 'Enable IAM User Permissions';
  const Statement = [{ Sid, Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' }];
  return JSON.stringify({ Version: '2012-10-17', Id: 'key-default-1', Statement });
};

const checkPolicyName = (name: string | undefined): void => {
  if (name !== undefined && name !== 'default')
    throw new AwsFault('NotFoundException', `No such policy exists: ${name}`);
};

const createGrant = (kms: Kms, input: sdk.CreateGrantRequest): sdk.CreateGrantResponse => {
  onlySimulated('kms:CreateGrant', input, ['KeyId', 'GranteePrincipal', 'Operations', 'Name']);
  const { GranteePrincipal: grantee = '', Operations: operations = [] } = input;
  const key = getKey(kms, input.KeyId);
  if (grantee === '' || operations.length === 0)
    throw new AwsFault('ValidationException', 'A grant needs a grantee principal and operations.');
  const { random } = kms.place;
  const grant: Grant = { id: randomHex(random, 64), grantee, operations };
  kms.grants.set(key.id, [...(kms.grants.get(key.id) ?? []), grant]);
  return { GrantId: grant.id, GrantToken: randomHex(random, 64) };
};

/** Grants of a key: stored and returned, but not enforced. */
export const grantActions = (kms: Kms): Handlers<typeof sdk> => ({
  GetKeyPolicy: ({ KeyId, PolicyName }) => {
    checkPolicyName(PolicyName);
    const { id } = getKey(kms, KeyId);
    return { Policy: kms.policies.get(id) ?? usualPolicy(kms.place.accountId), PolicyName: 'default' };
  },
  PutKeyPolicy: (input) => {
    onlySimulated('kms:PutKeyPolicy', input, ['KeyId', 'PolicyName', 'Policy']);
    checkPolicyName(input.PolicyName);
    kms.policies.set(getKey(kms, input.KeyId).id, input.Policy ?? '');
    return {};
  },
  CreateGrant: (input) => createGrant(kms, input),
  ListGrants: (input) => {
    onlySimulated('kms:ListGrants', input, ['KeyId', 'GranteePrincipal', 'Limit', 'Marker']);
    const { id, arn } = getKey(kms, input.KeyId);
    const found = (kms.grants.get(id) ?? []).filter(({ grantee }) => grantee === (input.GranteePrincipal ?? grantee));
    return {
      Grants: found.map(({ id: GrantId, grantee, operations }) => ({
        KeyId: arn,
        GrantId,
        GranteePrincipal: grantee,
        Operations: operations as sdk.GrantOperation[],
      })),
      Truncated: false,
    };
  },
});
