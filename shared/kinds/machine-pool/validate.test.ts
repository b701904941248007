import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { machinePool } from './definition.ts';
import type { MachinePool, MachinePoolSpec } from './schema.ts';

const machine = {
  clusterName: 'quickstart',
  bootstrap: { dataSecretName: '' },
  infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name: 'pool' },
  version: '1.34.0',
};

const withSpec = (spec: Partial<MachinePoolSpec>): MachinePool => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachinePool',
  metadata: { name: 'pool' },
  spec: { clusterName: 'quickstart', template: { spec: machine }, ...spec },
});

describe('MachinePool', () => {
  it('gets one replica, the label of its cluster, the prefix v of its version and a node deletion timeout by default', () => {
    const { metadata, spec } = admit(machinePool, withSpec({}));
    expect(metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'quickstart' });
    expect(spec.replicas).toBe(1);
    expect(spec.template.spec).toMatchObject({ version: 'v1.34.0', deletion: { nodeDeletionTimeoutSeconds: 10 } });
  });

  it("takes its replicas from the autoscaler's minimum, which must be an integer", () => {
    const bounded = (min: string): MachinePool => ({
      ...withSpec({}),
      metadata: {
        name: 'pool',
        annotations: {
          'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': min,
          'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '9',
        },
      },
    });
    expect(admit(machinePool, bounded('3')).spec.replicas).toBe(3);
    expect(refusals(machinePool, bounded('few'))[0]).toContain('must be an integer');
  });

  it('requires bootstrap data, a version and one cluster throughout', () => {
    const spec = { ...machine, clusterName: 'other', bootstrap: {}, version: '1' };
    expect(refusals(machinePool, withSpec({ template: { spec } }))).toEqual([
      'spec.template.spec.bootstrap: Required value: expected either spec.template.spec.bootstrap.dataSecretName or spec.template.spec.bootstrap.configRef to be populated',
      'spec.template.spec.version: Invalid value: "v1": must be a valid semantic version',
      'spec.clusterName: Invalid value: "quickstart": spec.clusterName and spec.template.spec.clusterName must be set to the same value',
    ]);
  });

  it('cannot move to another cluster', () => {
    const old = admit(machinePool, withSpec({}));
    const moved = withSpec({ clusterName: 'other', template: { spec: { ...machine, clusterName: 'other' } } });
    expect(refusals(machinePool, moved, old)).toEqual(['spec.clusterName: Forbidden: field is immutable']);
  });

  it('refuses taints, as upstream does', () => {
    const taints = [{ key: 'a', effect: 'NoSchedule' as const, propagation: 'Always' as const }];
    expect(refusals(machinePool, withSpec({ template: { spec: { ...machine, taints } } }))).toEqual([
      'spec.taints: Forbidden: taints feature for MachinePools is not yet implemented',
    ]);
  });
});
