import { describe, expect, it } from 'vitest';
import { servicesDigest, withSettledServices } from '../../../shared/plan/services/digest.ts';
import type { Service } from '../../../shared/plan/services/service.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { dutyWorld, nodesOf } from './test-duties.ts';

const SERVICE = {
  ...{ namespace: 'shop', name: 'web', uid: 'u', resourceVersion: '1', annotations: {}, finalizers: [] },
  ...{ isDeleted: false, type: 'LoadBalancer', ports: [], ingress: [] },
} as Partial<Service> as Service;
/** The first sweep of an hour. */
const HOURLY = '2026-01-01T01:00:00Z';
const OPTED_IN = { 'windlass.dev/cloud-controller': 'Services' };

it.each([
  {
    what: 'requests a pass over a cluster that no pass has looked at',
    annotations: OPTED_IN,
    isTouched: true,
    isListed: true,
  },
  {
    what: 'requests no pass if the Services are as the last pass left them',
    annotations: OPTED_IN,
    settled: [SERVICE],
    isListed: true,
  },
  {
    what: 'requests a pass over a cluster that has got a Service',
    annotations: OPTED_IN,
    settled: [],
    isTouched: true,
    isListed: true,
  },
  { what: 'does not look at a cluster without the annotation', annotations: {} },
  { what: 'does not look at a cluster with a controller of its own', annotations: OPTED_IN, reason: 'OtherController' },
  {
    what: 'requests a pass over a cluster with a controller of its own every hour',
    annotations: OPTED_IN,
    reason: 'OtherController',
    at: HOURLY,
    isTouched: true,
    isListed: true,
  },
])('$what', async (given) => {
  const { annotations, settled, reason, at, isTouched = false, isListed = false } = given;
  const { awsCluster, machine, drift } = await dutyWorld({
    annotations,
    type: 'windlass.dev/ServicesBalanced',
    reason,
    at,
  });
  const nodes = nodesOf(machine);
  const remembering = (settled && withSettledServices(awsCluster, servicesDigest(settled, nodes))) ?? awsCluster;
  let lists = 0;
  const client = {
    nodes: async () => nodes,
    services: {
      list: async () => {
        lists += 1;
        return [SERVICE];
      },
    },
  } as unknown as WorkloadClient;

  const found = await drift(client, remembering);

  expect(lists).toBe(isListed ? 1 : 0);
  expect(found).toEqual(isTouched ? ['lb'] : []);
});

describe('a list of Services that cannot be read', () => {
  const failing = (nodes: Awaited<ReturnType<WorkloadClient['nodes']>>) => {
    const list = () => Promise.reject(new WorkloadUnreachableError('its list is too large'));
    return { nodes: async () => nodes, services: { list } } as unknown as WorkloadClient;
  };
  const type = 'windlass.dev/ServicesBalanced';

  it.each([
    { reason: 'Balanced', expected: ['lb'] },
    { reason: 'NotReached', expected: [] },
  ])('leads to a pass that records it, not to one in each sweep: $reason', async ({ reason, expected }) => {
    const { awsCluster, machine, drift } = await dutyWorld({ annotations: OPTED_IN, type, reason });

    expect(await drift(failing(nodesOf(machine)), awsCluster)).toEqual(expected);
  });

  it('does not prevent the comparison of the nodes', async () => {
    const { awsCluster, machine, drift } = await dutyWorld({ annotations: OPTED_IN, type, reason: 'NotReached' });
    const unready = nodesOf(machine).map((node) => ({ ...node, status: { conditions: [] } }));

    expect(await drift(failing(unready), awsCluster)).toEqual(['lb']);
  });
});
