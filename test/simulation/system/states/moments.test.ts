import { expect, it } from 'vitest';
import { type Account, createAccount } from '../../../../infra/local/account.ts';
import { addVpc } from '../../../../infra/local/engines/ec2/network/vpcs.ts';
import type { Execution } from '../../../../infra/local/engines/states/executions.ts';
import { makeHandClock, makeSeededRandom } from '../../../../infra/local/test-aws.ts';
import { cidrOf } from '../../../../shared/cidr.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { makeStateReader, type Surroundings } from './moments.ts';
import { makeServiceMirror } from './service-mirror.ts';

const accountOf = (seed: string): Account => {
  const account = createAccount({ clock: makeHandClock(), random: makeSeededRandom(seed) });
  addVpc(account.ec2(), cidrOf('10.0.0.0/16'), false);
  return account;
};

const execution = (state: string, more: Partial<Execution> = {}): Execution =>
  ({
    ...{ arn: state, name: state, machineArn: 'arn:aws:states:us-east-1:1:stateMachine:Cluster', input: '{}' },
    ...{ status: 'RUNNING', startDate: new Date(0), ended: Promise.resolve(), abort: () => undefined },
    events: [{ type: 'StateEntered', timestamp: 0, state: { name: state, type: 'Task', input: {} } }],
    ...more,
  }) as Execution;

const surroundings = (): Surroundings => ({
  ...{ account: accountOf('a'), executions: () => [execution('Network')], running: () => [] },
  services: makeServiceMirror(),
});

const stateOf = (more: Partial<Surroundings> = {}): string | undefined =>
  makeStateReader({ ...surroundings(), ...more })();

it('the state is equal for two lifecycles that differ only in the names of resources', () => {
  expect(stateOf({ account: accountOf('b') })).toBe(stateOf());
});

it('the state is not reported again while neither items nor work have changed', () => {
  const read = makeStateReader(surroundings());
  expect([typeof read(), read()]).toEqual(['string', undefined]);
});

it('the state distinguishes an account with one more resource', () => {
  const account = accountOf('a');
  addVpc(account.ec2(), cidrOf('10.1.0.0/16'), false);
  expect(stateOf({ account })).not.toBe(stateOf());
});

/** A cluster with a Service that has these finalizers, and a load balancer with this node port. */
const servicesWith = async (finalizers: readonly string[], nodePort: number) => {
  const services = makeServiceMirror();
  const storage = createMemoryStorage();
  services.follow([{ storage }]);
  const object = {
    ...{ apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer', ports: [{ port: 80, nodePort }] } },
    metadata: { name: 'web', namespace: 'default', uid: 'u', finalizers: [...finalizers] },
  };
  const resource = { group: '', plural: 'services' };
  const stored = await storage.create(resource, object, undefined);
  return { services, remove: () => storage.remove(resource, stored) };
};

it('the state distinguishes Services of a workload cluster, but not the ports that were assigned to them', async () => {
  const { services, remove } = await servicesWith([], 30_000);
  expect(stateOf({ services })).toBe(stateOf(await servicesWith([], 30_001)));
  expect(stateOf({ services })).not.toBe(stateOf(await servicesWith(['a'], 30_000)));
  expect(stateOf({ services })).not.toBe(stateOf());
  await remove();
  expect(stateOf({ services })).toBe(stateOf());
});

it.each<[string, Partial<Surroundings>]>([
  ['an execution in another state', { executions: () => [execution('Machines')] }],
  ['one execution less', { executions: () => [] }],
  ['an execution that has ended', { executions: () => [execution('Network', { status: 'FAILED' })] }],
  ['a function that runs', { running: () => ['Windlass-drift aws.events'] }],
])('the state distinguishes a lifecycle with %s', (_, more) => {
  expect(stateOf(more)).not.toBe(stateOf());
});
