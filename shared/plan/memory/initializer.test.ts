import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube-api/object.ts';
import { readInitializer, withInitializer } from './initializer.ts';

const infrastructure: KubeObject = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'red', annotations: { other: 'stays' } },
};

describe('the machine that initializes a control plane', () => {
  it('is recorded with the taints with which its node registered', () => {
    const remembering = withInitializer(infrastructure, { machine: 'u-1', tainted: false });

    expect(readInitializer(remembering)).toEqual({ machine: 'u-1', tainted: false });
    expect(remembering?.metadata.annotations?.other).toBe('stays');
  });

  it('is not recorded twice', () => {
    const remembering = withInitializer(infrastructure, { machine: 'u-1', tainted: true }) as KubeObject;

    expect(withInitializer(remembering, { machine: 'u-1', tainted: true })).toBeUndefined();
    expect(withInitializer(remembering, { machine: 'u-2', tainted: true })).toBeDefined();
  });

  it('is unknown for a cluster that was created without the record', () => {
    expect(readInitializer(infrastructure)).toBeUndefined();
    expect(readInitializer(null)).toBeUndefined();
  });
});
