import { describe, expect, it } from 'vitest';
import type { AWSMachinePool } from '../../../kinds/index.ts';
import { instanceStatuses, withVersions } from './versions.ts';

const poolWith = (instances: object[]): AWSMachinePool =>
  ({ metadata: { name: 'p' }, status: { ready: true, instances } }) as unknown as AWSMachinePool;
const versions = (version: string) => new Map([['aws:///us-east-1a/i-1', version]]);

describe('the versions of the instances of a pool', () => {
  it('are those of the kubelets on their nodes', () => {
    const pool = withVersions(poolWith([{ instanceID: 'i-1' }, { instanceID: 'i-2' }]), versions('v1.34.0'));
    expect(pool?.status).toEqual({
      ready: true,
      instances: [{ instanceID: 'i-1', version: 'v1.34.0' }, { instanceID: 'i-2' }],
    });
  });

  it('are written only once', () => {
    expect(withVersions(poolWith([{ instanceID: 'i-1', version: 'v1.34.0' }]), versions('v1.34.0'))).toBeUndefined();
  });

  it('do not include instances that the group does not have', () => {
    expect(withVersions(poolWith([{ instanceID: 'i-3' }]), versions('v1.34.0'))).toBeUndefined();
  });

  it('are kept while the group is read, and removed with the instance', () => {
    const pool = poolWith([
      { instanceID: 'i-1', version: 'v1.34.0' },
      { instanceID: 'i-2', version: 'v1.33.0' },
    ]);
    expect(instanceStatuses(pool, ['i-1', 'i-3'])).toEqual([
      { instanceID: 'i-1', version: 'v1.34.0' },
      { instanceID: 'i-3' },
    ]);
  });
});
