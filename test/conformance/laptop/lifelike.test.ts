/**
 * A cluster's lifecycle with realistic delays: AWS resources take a tenth of their real time, machines boot in a tenth
 * of theirs, reads show new resources up to five seconds late, and EC2's rate limits apply. The test mostly waits.
 */
import {
  DescribeInstancesCommand,
  DescribeNatGatewaysCommand,
  DescribeVpcsCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIFELIKE, readFaults } from '../../../infra/cli/start/faults.ts';
import type { AWSCluster, Event, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  CONTROL_PLANE,
  CORE,
  conditionOf,
  INFRASTRUCTURE,
  startTestLaptop,
  type TestLaptop,
} from '../../end-to-end/laptop.ts';

const PART = 0.1;
const NEXT = 'v1.35.2';
const MERGE = 'application/merge-patch+json';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop(undefined, { bootMilliseconds: LIFELIKE.boot * PART * 1000 });
  const apply = await readFaults({ ...LIFELIKE, slowAws: LIFELIKE.slowAws * PART, fail: [] });
  apply(laptop.account);
}, LIMIT);
afterAll(() => laptop?.stop());

const small = (object: KubeObject): KubeObject => {
  const { kind } = object;
  const { spec } = object as { spec?: object };
  const replicas = { KubeadmControlPlane: 1, MachineDeployment: 2 }[kind];
  return replicas === undefined ? object : ({ ...object, spec: { ...spec, replicas } } as KubeObject);
};

const isAvailable = (machine: Machine): boolean => conditionOf(machine, 'Available')?.status === 'True';

/** Waits until three machines with the version are available and the machine `without` is gone. */
const settled = (version: string, without = '') =>
  laptop.until(`three available machines with ${version}`, async () => {
    const machines = await laptop.machines('quickstart');
    return (
      machines.length === 3 &&
      machines.every(isAvailable) &&
      machines.every(({ spec, metadata }) => spec.version === version && metadata.name !== without)
    );
  });

const isWorker = ({ metadata }: Machine): boolean => !('cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}));

// The tests run in order: each continues where the previous one ended.
describe('with AWS’s delays', { timeout: LIMIT }, () => {
  it('a cluster comes up, and reports its NAT gateways as ready when they are', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', small)).toEqual([]);
    const ready = async () => {
      const awsCluster = await laptop.get<AWSCluster>(`${INFRASTRUCTURE}/awsclusters/quickstart`);
      return conditionOf(awsCluster, 'NatGatewaysReady');
    };
    await laptop.until('they are being made', async () => (await ready())?.message?.startsWith('Waiting for AWS'));
    await laptop.until('they are ready', async () => (await ready())?.status === 'True');
    const { NatGateways = [] } = await laptop.ec2.send(new DescribeNatGatewaysCommand({}));
    expect(NatGateways.map(({ State }) => State)).toEqual(['available', 'available', 'available']);
    await settled('v1.34.0');
  });

  it('the cluster is upgraded', async () => {
    await laptop.api.send(
      'PATCH',
      `${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`,
      { spec: { version: NEXT } },
      MERGE,
    );
    const spec = { template: { spec: { version: NEXT } } };
    await laptop.api.send('PATCH', `${CORE}/machinedeployments/quickstart-md-0`, { spec }, MERGE);
    await settled(NEXT);
  });

  it('a machine whose instance was terminated is replaced', async () => {
    const lost = (await laptop.machines('quickstart')).find(isWorker);
    const id = lost?.spec.providerID?.split('/').at(-1) ?? '';
    await laptop.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await settled(NEXT, lost?.metadata.name);
  });

  it('the cluster is deleted, nothing is left, and no throttled call was reported as a failure', async () => {
    await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
    await laptop.until('the Cluster is gone', async () => !(await laptop.cluster('quickstart')));
    const Filters = [{ Name: 'tag:sigs.k8s.io/cluster-api-provider-aws/cluster/quickstart', Values: ['owned'] }];
    expect((await laptop.ec2.send(new DescribeVpcsCommand({ Filters }))).Vpcs).toEqual([]);
    const { Reservations = [] } = await laptop.ec2.send(new DescribeInstancesCommand({}));
    const states = Reservations.flatMap(({ Instances = [] }) => Instances.map(({ State }) => State?.Name));
    expect(new Set(states)).toEqual(new Set(['terminated']));
    const events = await laptop.list<Event>('/api/v1/namespaces/default/events');
    expect(events.filter(({ message }) => /RequestLimitExceeded|Throttl/.test(message ?? ''))).toEqual([]);
  });
});
