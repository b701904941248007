import { NotFoundException } from '@aws-sdk/client-kms';
import { describe, expect, it } from 'vitest';
import { type AccountClients, createAccountFacts } from './account-facts.ts';

const factsOf = (describeKey: () => Promise<unknown>) =>
  createAccountFacts({ kms: { describeKey } } as unknown as AccountClients);

describe('a key of KMS', () => {
  it('is described by its ARN, its manager and its state', async () => {
    const KeyMetadata = {
      Arn: 'arn:aws:kms:us-east-1:123456789012:key/one',
      KeyManager: 'CUSTOMER',
      KeyState: 'Enabled',
    };

    const key = await factsOf(async () => ({ KeyMetadata })).key('alias/one');

    expect(key).toEqual({ arn: KeyMetadata.Arn, isCustomers: true, state: 'Enabled' });
  });

  it('is reported as absent, not as unreadable, if KMS does not have it', async () => {
    const gone = new NotFoundException({ message: 'Alias is not found.', $metadata: { httpStatusCode: 400 } });

    expect(await factsOf(() => Promise.reject(gone)).key('alias/one')).toBeUndefined();
  });
});
