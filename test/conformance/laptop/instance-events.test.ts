/**
 * Tests events that EC2 announces, and their effects on machines. They are triggered with the AWS CLI, as in any
 * account.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AWSMachine, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { aws as runAws } from './aws-cli.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const aws = <T = unknown>(...args: string[]): Promise<T> => runAws<T>(laptop, ...args);

const isControlPlane = ({ metadata }: Machine): boolean => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {});
const machinesOf = async (role: 'control plane' | 'worker'): Promise<Machine[]> =>
  (await laptop.machines('quickstart')).filter((machine) => isControlPlane(machine) === (role === 'control plane'));

const isAvailable = (machine: Machine): boolean => conditionOf(machine, 'Available')?.status === 'True';
const instanceOf = ({ spec }: Machine): string => spec.providerID?.split('/').at(-1) ?? '';
const nameOf = ({ metadata }: Machine): string => metadata.name;

/** Two workers on spot instances, and one control plane machine. */
const small = (object: KubeObject): KubeObject => {
  const { kind, metadata } = object;
  const { spec } = object as { spec?: { template?: { spec?: object } } };
  if (kind === 'KubeadmControlPlane') return { ...object, spec: { ...spec, replicas: 1 } } as KubeObject;
  if (kind === 'MachineDeployment') return { ...object, spec: { ...spec, replicas: 2 } } as KubeObject;
  if (kind !== 'AWSMachineTemplate' || metadata.name.includes('control-plane')) return object;
  const template = { ...spec?.template, spec: { ...spec?.template?.spec, spotMarketOptions: {} } };
  return { ...object, spec: { ...spec, template } } as KubeObject;
};

const settled = (without: string) =>
  laptop.until(`two available workers, and not ${without}`, async () => {
    const workers = await machinesOf('worker');
    return workers.length === 2 && workers.every(isAvailable) && !workers.map(nameOf).includes(without);
  });

/** Starts an experiment that interrupts the instance in this many minutes, which AWS recommends for tests. */
const interrupt = async (instanceId: string, minutes: number): Promise<void> => {
  const { experimentTemplate } = await aws<{ experimentTemplate: { id: string } }>(
    'fis',
    'create-experiment-template',
    '--description=take a spot instance back',
    '--role-arn=arn:aws:iam::000000000000:role/fis',
    '--stop-conditions=source=none',
    `--targets=${JSON.stringify({
      one: {
        resourceType: 'aws:ec2:spot-instance',
        resourceArns: [`arn:aws:ec2:us-east-1:000000000000:instance/${instanceId}`],
        selectionMode: 'ALL',
      },
    })}`,
    `--actions=${JSON.stringify({
      interrupt: {
        actionId: 'aws:ec2:send-spot-instance-interruptions',
        parameters: { durationBeforeInterruption: `PT${minutes}M` },
        targets: { SpotInstances: 'one' },
      },
    })}`,
  );
  const id = experimentTemplate.id;
  const { experiment } = await aws<{ experiment: { state: { status: string } } }>(
    ...['fis', 'start-experiment', '--experiment-template-id', id],
  );
  expect(experiment.state.status).toBe('completed');
};

const eventsOf = async (reason: string): Promise<string[]> => {
  const path = '/api/v1/namespaces/default/events';
  const events = await laptop.list<KubeObject & { reason: string; message: string }>(path);
  return events.filter((event) => event.reason === reason).map(({ message }) => message);
};

// The tests run in order: each continues where the previous one ended.
describe('a cluster on spot instances', { timeout: LIMIT }, () => {
  it('is running, and its workers are known to be interruptible', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', small)).toEqual([]);
    await laptop.until(
      'three machines are available',
      async () => (await laptop.machines('quickstart')).filter(isAvailable).length === 3,
    );
    const infrastructure = await laptop.list<AWSMachine>(`${INFRASTRUCTURE}/awsmachines`);
    expect(infrastructure.filter(({ status }) => status?.interruptible)).toHaveLength(2);
  });

  it('immediately replaces a worker that EC2 interrupts, long before the two minutes are over', async () => {
    const [taken] = (await machinesOf('worker')) as [Machine];
    await interrupt(instanceOf(taken), 2);
    const both = await laptop.until('the replacement is made while the old one leaves', async () => {
      const workers = await machinesOf('worker');
      const old = workers.find(({ metadata }) => metadata.name === nameOf(taken));
      return workers.length === 3 && old?.metadata.deletionTimestamp ? old : undefined;
    });
    expect(conditionOf(both, 'windlass.dev/InstanceAtRisk')).toMatchObject({
      status: 'True',
      reason: 'SpotInterruption',
    });
    await settled(nameOf(taken));
    // Windlass has terminated the instance. EC2 itself would have done so only after the two minutes.
    const { Reservations } = await aws<{ Reservations: { Instances: { StateReason: { Code: string } }[] }[] }>(
      ...['ec2', 'describe-instances', '--instance-ids', instanceOf(taken)],
    );
    expect(Reservations[0]?.Instances[0]?.StateReason.Code).toBe('Client.UserInitiatedShutdown');
    expect((await eventsOf('SpotInterruption')).join()).toContain('MachineSet quickstart-md-0');
  });

  it('replaces a worker before its maintenance, the new one first', async () => {
    const [old] = (await machinesOf('worker')) as [Machine];
    const tag = 'Key=windlass.dev/simulate-event,Value=instance-retirement';
    await aws('ec2', 'create-tags', '--resources', instanceOf(old), '--tags', tag);
    const available = new Set<number>();
    await laptop.until('the old machine is gone', async () => {
      const workers = await machinesOf('worker');
      available.add(workers.filter((one) => isAvailable(one) && !one.metadata.deletionTimestamp).length);
      return !workers.map(nameOf).includes(nameOf(old));
    });
    expect(Math.min(...available)).toBe(2);
    await settled(nameOf(old));
  });

  it('only reports a recommendation for a young worker, until an annotation requests a replacement', async () => {
    const [old] = (await machinesOf('worker')) as [Machine];
    await interrupt(instanceOf(old), 15);
    const reported = await laptop.until('the recommendation is on the machine', async () => {
      const machine = await laptop.get<Machine>(`${CORE}/machines/${nameOf(old)}`);
      return conditionOf(machine, 'windlass.dev/InstanceAtRisk');
    });
    expect(reported).toMatchObject({ reason: 'RebalanceRecommendation' });
    expect(reported?.message).toContain('only reported, because the Machine was younger than an hour');

    const metadata = { annotations: { 'windlass.dev/on-rebalance': 'Replace' } };
    const path = `${CORE}/machinedeployments/quickstart-md-0`;
    await laptop.api.send('PATCH', path, { metadata }, 'application/merge-patch+json');
    await settled(nameOf(old));
  });

  it('replaces its control plane machine like a rollout', async () => {
    const [old] = (await machinesOf('control plane')) as [Machine];
    const tag = 'Key=windlass.dev/simulate-event,Value=system-reboot';
    await aws('ec2', 'create-tags', '--resources', instanceOf(old), '--tags', tag);
    const sizes = new Set<number>();
    await laptop.until('the old machine is gone', async () => {
      const now = await machinesOf('control plane');
      sizes.add(now.length);
      return now.length === 1 && nameOf(now[0] as Machine) !== nameOf(old);
    });
    expect([...sizes].sort()).toEqual([1, 2]);
  });

  it('shows within seconds that an instance was stopped, and replaces nothing', async () => {
    const [stopped] = (await machinesOf('worker')) as [Machine];
    const ready = async () => {
      const machine = await laptop.get<AWSMachine>(`${INFRASTRUCTURE}/awsmachines/${nameOf(stopped)}`);
      return conditionOf(machine, 'InstanceReady');
    };
    await aws('ec2', 'stop-instances', '--instance-ids', instanceOf(stopped));
    await laptop.until('it is known', async () => (await ready())?.reason === 'InstanceStopped');
    await aws('ec2', 'start-instances', '--instance-ids', instanceOf(stopped));
    await laptop.until('it runs again', async () => (await ready())?.status === 'True');
    expect((await machinesOf('worker')).map(nameOf)).toContain(nameOf(stopped));
  });
});
