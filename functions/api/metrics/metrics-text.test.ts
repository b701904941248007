import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { ReadBudget } from '../../../shared/kube-api/storage/read-budget.ts';
import { jsonLog } from '../../../shared/log.ts';
import { compressedMetrics } from './metrics-text.ts';
import type { PageLimits } from './page-limits.ts';

const machine = (namespace: string, name: string, more: Partial<Machine> = {}): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, namespace, uid: `uid-${name}`, creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: {
    clusterName: 'one',
    bootstrap: {},
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
  },
  ...more,
});

const several = (count: number, namespace: string): Machine[] =>
  Array.from({ length: count }, (_, index) => machine(namespace, `${namespace}-${index}`));

const MEGABYTE = 1024 * 1024;
const LIMITS: PageLimits = {
  read: { namespace: MEGABYTE, total: 2 * MEGABYTE },
  labels: () => ({ namespace: MEGABYTE, total: 2 * MEGABYTE }),
};

const scrape = async (machines: readonly Machine[], limits?: PageLimits) => {
  const storage = createMemoryStorage();
  for (const one of machines) await storage.create(kinds.machine, one, undefined);
  const list: ObjectClient['list'] = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    namespace?: string,
    budget?: ReadBudget,
  ) => (await storage.list(resource, { namespace, budget, unversioned: true })).items as T[];
  const lines: string[] = [];
  const page = await compressedMetrics({ objects: { list }, log: jsonLog((line) => lines.push(line)) }, limits);
  const text = gunzipSync(page).toString();
  return {
    text,
    logged: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    namespaces: [...text.matchAll(/^capi_machine_created\{.*,namespace="(\w+)"/gm)].map(([, name]) => name),
    omitted: text.split('\n').filter((line) => line.startsWith('windlass_metrics_omitted{')),
  };
};

const omission = (namespace: string, kind = 'Machine') =>
  `windlass_metrics_omitted{customresource_group="cluster.x-k8s.io",customresource_kind="${kind}",` +
  `customresource_version="v1beta2",namespace="${namespace}"} 1`;

describe('the page of metrics', () => {
  it('omits nothing, and says so, while each namespace is within its limits', async () => {
    const { text, namespaces, omitted, logged } = await scrape([machine('a', 'one'), machine('b', 'two')], LIMITS);
    expect({ namespaces, omitted, logged }).toEqual({ namespaces: ['a', 'b'], omitted: [], logged: [] });
    expect(text).toContain('# TYPE windlass_metrics_omitted gauge\n');
  });

  it.each<[string, PageLimits, string[]]>([
    [
      'objects take too much memory, in this list and the later ones',
      { ...LIMITS, read: { namespace: 64 * 1024, total: MEGABYTE } },
      ['Machine', 'MachineDeployment', 'MachineHealthCheck', 'MachinePool', 'MachineSet'],
    ],
    ['metrics are too large', { ...LIMITS, labels: () => ({ namespace: 16 * 1024, total: MEGABYTE }) }, ['Machine']],
    [
      'metrics are the largest, if together they are too large',
      { ...LIMITS, labels: () => ({ namespace: MEGABYTE, total: 16 * 1024 }) },
      ['Machine'],
    ],
  ])('omits a namespace whose %s, and shows the others', async (_, limits, omittedKinds) => {
    const { namespaces, omitted, logged } = await scrape(
      [machine('after', 'one'), ...several(100, 'large'), machine('before', 'two')],
      limits,
    );
    expect(namespaces).toEqual(['after', 'before']);
    expect(omitted).toEqual(omittedKinds.map((kind) => omission('large', kind)));
    const listed = omittedKinds.map((kind) => `${kind} of large`).join(', ');
    expect(logged).toEqual([expect.objectContaining({ level: 'WARN', omitted: listed, count: omittedKinds.length })]);
  });

  it('omits single objects that it cannot read, and logs one of each namespace', async () => {
    const broken = (name: string) => machine('team', name, { status: { conditions: 7 as never } });
    const { text, omitted, logged } = await scrape([machine('team', 'fine'), broken('x'), broken('y')], LIMITS);
    expect(text.match(/^capi_machine_created\{.*,name="(\w+)"/gm)).toHaveLength(1);
    expect(omitted).toEqual([omission('team')]);
    expect(logged.filter(({ level }) => level === 'ERROR')).toEqual([
      expect.objectContaining({ kind: 'Machine', namespace: 'team', name: 'x', objects: 2 }),
    ]);
  });

  it('omits an object with more samples than any can have', async () => {
    const owner = (index: number) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: String(index) });
    const ownerReferences = Array.from({ length: 2000 }, (_, index) => owner(index));
    const one = machine('team', 'many');
    const { namespaces, omitted } = await scrape([{ ...one, metadata: { ...one.metadata, ownerReferences } }]);
    expect({ namespaces, omitted }).toEqual({ namespaces: [], omitted: [omission('team')] });
  });
});
