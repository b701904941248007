import { expect, it } from 'vitest';
import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { kindsWith } from '../kinds.ts';
import type { AnyObject } from '../objects.ts';
import { applyTemplate } from './apply.ts';
import { keyOfObject } from './model.ts';

const CLUSTER = 'acme-production-eu-central-1-payments';

const template = (name: string, format: string): AnyObject => ({
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfigTemplate',
  metadata: { name, namespace: 'team' },
  spec: { template: { spec: { format } } },
});

it('replaced templates of two groups get different names, however long the name of the cluster is', () => {
  const groups = ['workers-general-purpose-a', 'workers-general-purpose-b'];
  const cluster = { metadata: { name: CLUSTER, namespace: 'team', uid: 'uid-1' } } as Cluster;
  const current = groups.map((group) => template(group, 'cloud-config'));
  const live = {
    cluster,
    controlPlane: undefined,
    machineDeployments: new Map(),
    machinePools: new Map(),
    objects: new Map(current.map((object) => [keyOfObject(object), object])),
    usedBySets: new Set<string>(),
  };
  const facts = { live, now: new Date('2026-01-01T00:00:00Z'), kindOf: kindsWith([]) };
  const nameFor = (group: string): string =>
    applyTemplate(facts, template(group, 'ignition'), `${CLUSTER}-${group}-`).template.metadata.name;

  const [first = '', second = ''] = groups.map(nameFor);
  expect(first).not.toBe(second);
  expect(nameFor(groups[0] ?? '')).toBe(first);
  expect(first.length).toBeLessThanOrEqual(63);
});
