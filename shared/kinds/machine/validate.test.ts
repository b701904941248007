import { describe, expect, it } from 'vitest';
import { machineDeployment } from '../machine-deployment/definition.ts';
import type { MachineSpec } from '../schema/machine-parts.ts';
import { admit, example, refusals } from '../test-admission.ts';
import { machine } from './definition.ts';
import type { Machine } from './schema.ts';

const withSpec = (spec: Partial<MachineSpec>, labels: Record<string, string> = {}): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'worker', namespace: 'default', labels },
  spec: { ...example(machineDeployment).spec.template.spec, ...spec },
});

const TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule', propagation: 'Always' } as const;

describe('Machine admission', () => {
  it('labels the machine with its cluster, and sets a node deletion timeout of ten seconds by default', () => {
    const { metadata, spec } = admit(machine, withSpec({ version: '1.34.0' }));
    expect(metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'quickstart' });
    expect(spec.version).toBe('v1.34.0');
    expect(spec.deletion).toEqual({ nodeDeletionTimeoutSeconds: 10 });
    expect(admit(machine, withSpec({ deletion: { nodeDeletionTimeoutSeconds: 0 } })).spec.deletion).toEqual({
      nodeDeletionTimeoutSeconds: 0,
    });
  });

  it('lets controllers record the provider id, the data secret and the status', () => {
    const old = admit(machine, withSpec({}));
    const next: Machine = {
      ...old,
      spec: {
        ...old.spec,
        providerID: 'aws:///us-east-1a/i-1',
        bootstrap: { ...old.spec.bootstrap, dataSecretName: 'worker' },
      },
      status: { phase: 'Provisioned', nodeRef: { name: 'ip-10-0-0-1.ec2.internal' } },
    };
    expect(admit(machine, next, old)).toMatchObject({ spec: next.spec, status: next.status });
  });

  it('refuses to change the cluster', () => {
    const old = admit(machine, withSpec({}));
    const moved = { ...old, spec: { ...old.spec, clusterName: 'other' } };
    expect(refusals(machine, moved, old)).toEqual(['spec.clusterName: Forbidden: field is immutable']);
  });

  it('requires bootstrap data, except for machines of a pool', () => {
    const bare = withSpec({ bootstrap: {} });
    expect(refusals(machine, bare)).toEqual([
      'spec.bootstrap: Required value: expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated',
    ]);
    expect(refusals(machine, withSpec({ bootstrap: {} }, { 'cluster.x-k8s.io/pool-name': 'p' }))).toEqual([]);
    const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachinePool', name: 'p', uid: 'p' };
    const owned = { ...bare, metadata: { ...bare.metadata, ownerReferences: [owner] } };
    expect(refusals(machine, owned)).toEqual([]);
  });

  it('accepts the taint of the control plane on control plane machines only', () => {
    const labels = { 'cluster.x-k8s.io/control-plane': '' };
    expect(refusals(machine, withSpec({ taints: [TAINT] }, labels))).toEqual([]);
    expect(refusals(machine, withSpec({ taints: [TAINT] }))).toHaveLength(1);
    const reserved = { ...TAINT, key: 'node.kubernetes.io/not-ready' };
    expect(refusals(machine, withSpec({ taints: [reserved] }, labels))).toHaveLength(1);
  });

  it('requires a valid phase, provider id and names', () => {
    const object = {
      ...withSpec({ infrastructureRef: { apiGroup: 'x', kind: 'X', name: 'Upper' } }),
      status: { phase: 'Lost' },
    };
    const lines = refusals(machine, object);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('spec.infrastructureRef.name in body should match');
    expect(lines[1]).toContain('status.phase: Unsupported value: "Lost"');
  });
});
