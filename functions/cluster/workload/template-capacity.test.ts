import { expect, it } from 'vitest';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { controllerScopeOf } from '../../providers/aws/aws-scope.ts';
import { makeWorkloadPort } from '../../providers/aws/workload-port.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { hasCapacity, reportCapacity } from './template-capacity.ts';

const world = async (controlPlane: object | null = null) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = createObjectClient(registry);
  await objects.ensure(kinds.awsMachineTemplate, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachineTemplate',
    metadata: { name: 'workers', namespace: 'default' },
    spec: { template: { spec: { instanceType: 'm6g.large' } } },
  });
  const ref = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'workers' };
  const snapshot = {
    cluster: {
      ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' },
      metadata: { name: 'red', namespace: 'default', uid: 'u-red' },
    },
    infrastructureCluster: { metadata: { name: 'red' }, spec: { region: 'us-east-1' } },
    provider: aws,
    controlPlane,
    deployments: [
      {
        metadata: { name: 'md' },
        spec: { replicas: 0, template: { spec: { bootstrap: {}, infrastructureRef: ref } } },
      },
    ],
    sets: [],
  } as never as ClusterSnapshot;
  const template = () => objects.get(kinds.awsMachineTemplate, { namespace: 'default', name: 'workers' });
  const asked: string[] = [];
  const tell = (answer: () => object) =>
    reportCapacity(
      {
        objects,
        clock,
        providers: {
          aws: makeWorkloadPort({
            scopeOf: controllerScopeOf,
            fleet: () => ({ statesOf: async () => new Map() }),
            capacity: () => ({
              instanceType: async (name) => {
                asked.push(name);
                return answer();
              },
              image: async () => undefined,
            }),
          }),
        },
      },
      snapshot,
    );
  return { objects, template, tell, asked };
};

it('reports the capacity of a template without machines, and calls EC2 once', async () => {
  const { template, tell, asked } = await world();
  const arm = {
    VCpuInfo: { DefaultVCpus: 2 },
    MemoryInfo: { SizeInMiB: 8192 },
    ProcessorInfo: { SupportedArchitectures: ['arm64'] },
  };
  await tell(() => arm);
  await tell(() => arm);

  expect((await template())?.status).toEqual({
    capacity: { cpu: '2', memory: '8192Mi' },
    nodeInfo: { architecture: 'arm64', operatingSystem: 'linux' },
  });
  expect(asked).toEqual(['m6g.large']);
});

it('reports the capacity of templates beside a control plane of another program, which has no template', async () => {
  const { tell, asked } = await world({ spec: { version: 'v1.34.0' }, status: { conditions: [] } });
  await tell(() => ({}));
  expect(asked).toEqual(['m6g.large']);
});

it('does not block anything else if EC2 does not know the type', async () => {
  const { objects, template, tell } = await world();
  await tell(() => {
    throw new Error('InvalidInstanceType');
  });

  expect((await template())?.status).toBeUndefined();
  const [event] = await objects.list(kinds.event);
  expect(event).toMatchObject({ reason: 'CapacityQueryFailed', message: expect.stringContaining('m6g.large') });
});

it('looks up a template while a part of its capacity is missing', () => {
  const template = (status: object) => ({ status }) as never as Parameters<typeof hasCapacity>[0];
  expect(hasCapacity(template({ capacity: { cpu: '2' }, nodeInfo: { architecture: 'amd64' } }))).toBe(false);
  expect(
    hasCapacity(template({ capacity: { cpu: '2' }, nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' } })),
  ).toBe(true);
});
