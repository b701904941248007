import { expect, it } from 'vitest';
import { admit } from '../test-admission.ts';
import { serviceAccount } from './definition.ts';
import type { ServiceAccount } from './schema.ts';

const withFields = (fields: Partial<ServiceAccount>): ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'manager', namespace: 'default' },
  ...fields,
});

it('ServiceAccount keeps only the names of its secrets', () => {
  const secrets = [{ name: 'token', namespace: 'other', kind: 'Secret' }];
  expect(admit(serviceAccount, withFields({ secrets })).secrets).toEqual([{ name: 'token' }]);
});

it('ServiceAccount warns about a deprecated annotation only when it is added', () => {
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  const marked = withFields({ metadata: { name: 'manager', namespace: 'default', annotations } });
  expect(serviceAccount.warnings?.(marked, undefined)).toHaveLength(1);
  expect(serviceAccount.warnings?.(marked, marked)).toEqual([]);
});
