import { describe, expect, it } from 'vitest';
import type { Topology } from '../cluster/schema.ts';
import type { ClusterClassSpec } from './schema.ts';
import { type ClassUser, faultOfDeletion, validateUse } from './validate-use.ts';

const ref = (kind: string) => ({ templateRef: { apiVersion: 'a/v1', kind, name: 'a' } });
const templates = { bootstrap: ref('BTemplate'), infrastructure: ref('ITemplate') };
const check = { checks: { nodeStartupTimeoutSeconds: 60 } };

const spec = (change: Partial<ClusterClassSpec> = {}): ClusterClassSpec => ({
  infrastructure: ref('CTemplate'),
  controlPlane: { ...ref('PTemplate'), healthCheck: check },
  workers: {
    machineDeployments: [{ class: 'md', ...templates, healthCheck: check }],
    machinePools: [{ class: 'mp', ...templates }],
  },
  ...change,
});

const user = (name: string, topology: Partial<Topology>): ClassUser => ({
  metadata: { name, namespace: 'team' },
  topology: { classRef: { name: 'c' }, version: 'v1.34.0', ...topology },
});

const lines = (next: ClusterClassSpec, users: ClassUser[]): string[] =>
  validateUse(next, spec(), users).map(({ field, detail }) => `${field}: ${detail}`);

describe('a class that clusters use', () => {
  const relying = user('one', {
    controlPlane: { healthCheck: { enabled: true } },
    workers: { machineDeployments: [{ class: 'md', name: 'a', healthCheck: { enabled: true } }] },
  });

  it('must keep the versions of its clusters, if it lists any', () => {
    expect(lines(spec({ kubernetesVersions: ['v1.34.0', 'v1.35.0'] }), [user('one', {})])).toEqual([]);
    expect(lines(spec({ kubernetesVersions: ['v1.35.0'] }), [user('one', {})])).toEqual([
      'spec.kubernetesVersions: Kubernetes Version v1.34.0 is used by Cluster "one" but not set in ClusterClass',
    ]);
  });

  it('must keep the worker classes of its clusters', () => {
    const workers = { machineDeployments: [{ class: 'md', name: 'a' }], machinePools: [{ class: 'mp', name: 'b' }] };
    expect(lines(spec({ workers: {} }), [user('one', { workers }), user('two', {})])).toEqual([
      'spec.workers.machineDeployments: MachineDeploymentClass "md" cannot be deleted because it is used by Cluster "one"',
      'spec.workers.machinePools: MachinePoolClass "mp" cannot be deleted because it is used by Cluster "one"',
    ]);
  });

  it('must keep the health checks on which its clusters rely', () => {
    const next = spec({
      controlPlane: ref('PTemplate'),
      workers: { machineDeployments: [{ class: 'md', ...templates }], machinePools: [{ class: 'mp', ...templates }] },
    });
    const own = user('own', { controlPlane: { healthCheck: { enabled: true, ...check } } });
    expect(lines(next, [relying, own])).toEqual([
      'spec.controlPlane.healthCheck: healthCheck cannot be deleted because it is used by Cluster(s) "one"',
      'spec.workers.machineDeployments[md].healthCheck: healthCheck cannot be deleted because it is used by Cluster(s) "one"',
    ]);
  });

  it('cannot be deleted', () => {
    expect(faultOfDeletion([])).toBeUndefined();
    expect(faultOfDeletion([user('one', {}), user('two', {})])).toBe(
      'ClusterClass cannot be deleted because it is used by Cluster(s): team/one, team/two',
    );
  });
});
