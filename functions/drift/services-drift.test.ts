import type { V1Node } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { toKubeconfigSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { systemClock } from '../../shared/clock.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  kinds,
  type Machine,
  type Secret,
} from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { nodePatch } from '../../shared/plan/machines/node-metadata.ts';
import { servicesDigest, withSettledServices } from '../../shared/plan/services/digest.ts';
import type { Service } from '../../shared/plan/services/service.ts';
import { aws } from '../../shared/providers/aws/infrastructure.ts';
import type { WorkloadClient } from '../../shared/workload/client.ts';
import { nodeDrift } from './node-drift.ts';
import { startRun } from './run.ts';
import { createTestFleet, NAMESPACE } from './test-fleet.ts';

/** The node of the machine, as a pass has left it. */
const nodesOf = (machine: Machine): V1Node[] => {
  const { providerID } = machine.spec;
  const node = { metadata: { name: 'node-1', resourceVersion: '1' }, spec: { providerID } } as V1Node;
  const { labels, annotations } = nodePatch(machine, node, { interruptible: false, outdated: false }) ?? {};
  return [{ ...node, metadata: { ...node.metadata, labels, annotations } as V1Node['metadata'] }];
};

const SERVICE = {
  ...{ namespace: 'shop', name: 'web', uid: 'u', resourceVersion: '1', annotations: {}, finalizers: [] },
  ...{ isDeleted: false, type: 'LoadBalancer', ports: [], ingress: [] },
} as Partial<Service> as Service;
const condition = (reason: string) => ({
  ...({ type: 'windlass.dev/ServicesBalanced', status: 'False', reason, message: '' } as const),
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const startCluster = async (annotations: Record<string, string>, reason: string | undefined) => {
  const { objects, addCluster, addMachines } = await createTestFleet();
  await addCluster('lb', 'here');
  await addMachines('lb', 'here', 1);
  const key = { namespace: NAMESPACE, name: 'lb' };
  await objects.ensure(kinds.secret, toKubeconfigSecret('lb', NAMESPACE, 'a kubeconfig') as Secret);
  const cluster = (await objects.mutate(kinds.cluster, key, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations },
    status: { ...current.status, conditions: reason === undefined ? [] : [condition(reason)] },
  }))) as Cluster;
  const awsCluster = (await objects.get(kinds.awsCluster, key)) as AWSCluster;
  const [found] = await objects.listOfCluster(kinds.machine, NAMESPACE, 'lb');
  const ready = { type: 'NodeReady', status: 'True', reason: 'NodeReady', message: '' };
  const machine = { ...found, status: { nodeRef: { name: 'node-1' }, conditions: [ready] } } as Machine;
  const at = { ...key, name: found?.metadata.name ?? '' };
  const infrastructure = (await objects.get(kinds.awsMachine, at)) as AWSMachine;
  return { objects, cluster, awsCluster, machine, infrastructure };
};

const OPTED_IN = { 'windlass.dev/cloud-controller': 'Services' };

it.each([
  { what: 'that no pass has looked at', annotations: OPTED_IN, isTouched: true, isListed: true },
  { what: 'whose Services are as the last pass left them', annotations: OPTED_IN, settled: [SERVICE], isListed: true },
  { what: 'that has got a Service', annotations: OPTED_IN, settled: [], isTouched: true, isListed: true },
  { what: 'without the annotation', annotations: {} },
  { what: 'with a controller of its own', annotations: OPTED_IN, reason: 'OtherController' },
])('looks into a cluster $what', async (given) => {
  const { annotations, settled, reason, isTouched = false, isListed = false } = given;
  const { objects, cluster, awsCluster, machine, infrastructure } = await startCluster(annotations, reason);
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
    close: async () => {},
  } as unknown as WorkloadClient;
  const deps = { objects, clock: systemClock, log: silentLog, connect: async () => () => client };
  const fleet = {
    provider: aws,
    clusters: [{ cluster, infrastructure: remembering }],
    machines: [{ cluster, machine, infrastructure, infrastructureCluster: remembering }],
  };

  // It is not its turn: only its Services are a reason.
  const found = await nodeDrift(deps as never, fleet, new Set(), startRun(deps as never));

  expect(lists).toBe(isListed ? 1 : 0);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(isTouched ? ['lb'] : []);
});
