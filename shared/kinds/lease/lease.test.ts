import { describe, expect, it } from 'vitest';
import { decodeObject } from '../../kube-api/decode.ts';
import { admit, refusals } from '../test-admission.ts';
import { lease } from './definition.ts';
import type { Lease } from './schema.ts';

const withSpec = (spec?: Lease['spec']): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader', namespace: 'default' },
  ...(spec ? { spec } : {}),
});

describe('Lease admission', () => {
  it('accepts what leader election writes', () => {
    const spec = {
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:10.123456Z',
      leaseTransitions: 0,
    };
    expect(admit(lease, withSpec(spec)).spec).toEqual(spec);
  });

  it('refuses durations and counts that are out of range', () => {
    expect(refusals(lease, withSpec({ leaseDurationSeconds: 0, leaseTransitions: -1 }))).toEqual([
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});

describe('times that Go cannot read', () => {
  const stored = withSpec({ holderIdentity: 'one', renewTime: '2026-01-01T00:00:10.123Z' });

  it('are refused', () => {
    expect(() => decodeObject(lease, stored)).toThrow('with six digits after the seconds');
  });

  it('are kept where an earlier version stored them', () => {
    const changed = withSpec({ ...stored.spec, holderIdentity: 'two' });
    expect(decodeObject(lease, changed, { stored }).object).toMatchObject(changed);
  });
});
