/** Tests the example of a MachinePool, and changes that are made to its Auto Scaling group with the AWS CLI. */
import { setTimeout } from 'node:timers/promises';
import { AutoScalingClient, DescribeWarmPoolCommand } from '@aws-sdk/client-auto-scaling';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AWSMachinePool, Event, Machine, MachinePool } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { aws as runAws } from './aws-cli.ts';

const GROUP = 'default.pooled-workers';
const POOL = `${CORE}/machinepools/pooled-workers`;
const AWS_POOL = `${INFRASTRUCTURE}/awsmachinepools/pooled-workers`;

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
  await laptop.applyFile('examples/machine-pool.yaml');
}, LIMIT);
afterAll(() => laptop?.stop());

const aws = <T = unknown>(...args: string[]): Promise<T> => runAws<T>(laptop, ...args);

interface Group {
  DesiredCapacity: number;
  Instances: { InstanceId: string; LifecycleState: string; LaunchTemplate: { Version: string } }[];
}

const group = async (): Promise<Group | undefined> => {
  const { AutoScalingGroups } = await aws<{ AutoScalingGroups: Group[] }>(
    ...['autoscaling', 'describe-auto-scaling-groups', '--auto-scaling-group-names', GROUP],
  );
  return AutoScalingGroups[0];
};

const merge = (patch: object) => laptop.api.send('PATCH', POOL, patch, 'application/merge-patch+json');
const pool = () => laptop.get<MachinePool>(POOL);
const workers = async (): Promise<Machine[]> =>
  (await laptop.machines('pooled')).filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/pool-name']);
const nodesOf = (machines: readonly Machine[]) => machines.map(({ status }) => status?.nodeRef?.name ?? '').sort();

const poolExecutions = async (): Promise<number> => {
  const machines = await aws<{ stateMachines: { name: string; stateMachineArn: string }[] }>(
    ...['stepfunctions', 'list-state-machines'],
  );
  const arn = machines.stateMachines.find(({ name }) => name.endsWith('converge-pool'))?.stateMachineArn ?? '';
  const { executions } = await aws<{ executions: unknown[] }>(
    ...['stepfunctions', 'list-executions', '--state-machine-arn', arn],
  );
  return executions.length;
};

/** Long enough for several executions, if the pool started them over and over. */
const QUIET_MILLISECONDS = 4000;

/** Waits until this many Machines exist, all of them with nodes, and nothing is in progress. */
const settled = (replicas: number) =>
  laptop.until(`a pool of ${replicas}`, async () => {
    const { status, spec } = (await pool()) ?? { spec: {} };
    const machines = await workers();
    const isWhole = status?.phase === 'Running' && status.readyReplicas === replicas && machines.length === replicas;
    return isWhole && spec.replicas === replicas;
  });

const warm = async (): Promise<Group['Instances']> => {
  const args = ['--auto-scaling-group-name', GROUP];
  return (await aws<{ Instances: Group['Instances'] }>('autoscaling', 'describe-warm-pool', ...args)).Instances;
};

/** Polls without the AWS CLI, which would start a process for each check. */
const untilStopped = async (): Promise<void> => {
  const { region, awsUrl: endpoint, credentials } = laptop.access;
  const client = new AutoScalingClient({ region, endpoint, credentials });
  const command = new DescribeWarmPoolCommand({ AutoScalingGroupName: GROUP });
  await laptop.until('a stopped instance', async () => {
    const { Instances = [] } = await client.send(command);
    return Instances[0]?.LifecycleState === 'Warmed:Stopped';
  });
  client.destroy();
};

const setCapacity = (capacity: number) =>
  aws(
    ...['autoscaling', 'set-desired-capacity', '--auto-scaling-group-name', GROUP],
    ...['--desired-capacity', String(capacity)],
  );

const drained = async (): Promise<string[]> => {
  const events = await laptop.list<Event>('/api/v1/namespaces/default/events');
  return events
    .filter(({ reason }) => reason === 'SuccessfulDrainNode')
    .map(({ involvedObject }) => involvedObject?.name ?? '');
};

describe('a MachinePool', () => {
  it('comes up with one command, with a Machine and a node for each instance of its group', async () => {
    await settled(2);
    const instances = (await group())?.Instances.map(({ InstanceId }) => InstanceId).sort();
    const machines = await workers();
    expect(machines.map(({ spec }) => spec.providerID?.split('/').at(-1)).sort()).toEqual(instances);
    expect((await pool())?.status?.nodeRefs?.map(({ name }) => name).sort()).toEqual(nodesOf(machines));
  });

  it('follows an autoscaler, and drains the nodes of instances that the group terminates', async () => {
    await merge({ metadata: { annotations: { 'cluster.x-k8s.io/replicas-managed-by': 'autoscaler' } } });
    await setCapacity(3);
    await settled(3);
    const before = (await workers()).map(({ metadata }) => metadata.name);
    await setCapacity(2);
    await settled(2);
    const left = (await workers()).map(({ metadata }) => metadata.name);
    const [gone] = before.filter((name) => !left.includes(name));
    expect(await drained()).toContain(gone);
  });

  it('replaces its instances one after the other for another version of Kubernetes', async () => {
    await merge({ spec: { template: { spec: { version: 'v1.34.1' } } } });
    await laptop.until('machines of the version', async () => {
      const machines = await workers();
      return (
        machines.length === 2 && machines.every(({ spec, status }) => spec.version === 'v1.34.1' && status?.nodeRef)
      );
    });
    expect((await group())?.Instances.map(({ LaunchTemplate }) => LaunchTemplate.Version)).toEqual(['2', '2']);
  });

  it('gets another instance for a deleted Machine', async () => {
    const [first] = (await workers()) as [Machine];
    await laptop.api.send('DELETE', `${CORE}/machines/${first.metadata.name}`);
    await laptop.until('another machine', async () => {
      const machines = await workers();
      const isOther = machines.every(({ metadata }) => metadata.name !== first.metadata.name);
      return isOther && machines.length === 2 && machines.every(({ status }) => status?.nodeRef);
    });
  });

  it('starts no execution of the pool while the node of a deleted Machine is not drained', async () => {
    const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test';
    const [first] = (await workers()) as [Machine];
    const machine = `${CORE}/machines/${first.metadata.name}`;
    const annotate = (value: string | null) =>
      laptop.api.send(
        'PATCH',
        machine,
        { metadata: { annotations: { [hook]: value } } },
        'application/merge-patch+json',
      );
    await settled(2);
    const before = await poolExecutions();
    await annotate('test');
    await laptop.api.send('DELETE', machine);
    await laptop.until('a Machine that waits for its hook', async () => {
      const { status } = (await laptop.get<Machine>(machine)) ?? {};
      return status?.conditions?.some(({ type, reason }) => type === 'Deleting' && reason === 'WaitingForPreDrainHook');
    });
    await setTimeout(QUIET_MILLISECONDS);
    expect(await poolExecutions()).toBe(before);
    await annotate(null);
    await laptop.until('the Machine is gone', async () => (await laptop.get<Machine>(machine)) === undefined);
    await settled(2);
  });

  it('has an instance of its warm pool join when the group grows, and not before', async () => {
    const wish = JSON.stringify({ minSize: 1, maxGroupPreparedCapacity: 3, preparationSeconds: 30 });
    const annotations = { 'windlass.dev/warm-pool': wish };
    await laptop.api.send('PATCH', AWS_POOL, { metadata: { annotations } }, 'application/merge-patch+json');
    await untilStopped();
    const [{ InstanceId = '', LifecycleState = '' } = {}] = await warm();
    expect(LifecycleState).toBe('Warmed:Stopped');
    expect((await workers()).map(({ spec }) => spec.providerID?.split('/').at(-1))).not.toContain(InstanceId);
    expect((await pool())?.status?.readyReplicas).toBe(2);
    await setCapacity(3);
    await settled(3);
    expect((await workers()).map(({ spec }) => spec.providerID?.split('/').at(-1))).toContain(InstanceId);
    const { status } = (await laptop.get<AWSMachinePool>(AWS_POOL)) ?? {};
    expect(status?.instances?.map(({ version }) => version)).toEqual(['v1.34.1', 'v1.34.1', 'v1.34.1']);
  });

  it('is deleted with its group and its launch template', async () => {
    await laptop.api.send('DELETE', `${CORE}/clusters/pooled`);
    await laptop.until('the cluster is gone', async () => (await laptop.list(`${CORE}/clusters`)).length === 0);
    expect(await group()).toBeUndefined();
    const { LaunchTemplates } = await aws<{ LaunchTemplates: unknown[] }>('ec2', 'describe-launch-templates');
    expect(LaunchTemplates).toEqual([]);
  });
});
