import { expect, it } from 'vitest';
import { type AWSMachine, KINDS, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { createRegistry } from '../../../../shared/kube-api/create-registry.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/memory-storage.ts';
import { createObjectClient } from '../../../../shared/kube-api/object-client.ts';
import { LABEL } from '../../../../shared/plan/labels.ts';
import type { ObservedLoadBalancing } from '../../../../shared/providers/aws/load-balancer/model.ts';
import { buildTags, type Tags } from '../../../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { registerMissing } from './register-missing.ts';

const NAME = { namespace: 'blue', name: 'prod' };
const KEY = { namespace: 'blue', name: 'm' };
const GROUP = { arn: 'group', name: 'group', port: 6443, targets: [] };
const OBSERVED = {
  targetGroups: [GROUP],
  listeners: [{ arn: 'listener', port: 6443, targetGroupArn: 'group' }],
} as unknown as ObservedLoadBalancing;

/** Registers the missing targets for a machine whose instance has these tags; returns what was registered, and reported. */
const register = async (tags: Tags, refusal?: Error) => {
  const clock = testClock();
  const storage = createMemoryStorage();
  const objects = createObjectClient(createRegistry({ resources: KINDS, storage, clock, random: systemRandom }));
  const metadata = { ...KEY, labels: { [LABEL.clusterName]: 'prod', [LABEL.controlPlane]: '' } };
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm' };
  await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: { clusterName: 'prod', bootstrap: { dataSecretName: 'm' }, infrastructureRef },
  } as Machine);
  await objects.ensure(kinds.awsMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata,
    spec: { instanceType: 't3.large', instanceID: 'i-1' },
  } as AWSMachine);
  await objects.mutate(kinds.awsMachine, KEY, (current) => ({
    ...current,
    status: {
      instanceState: 'running',
      conditions: [{ type: 'ELBAttached', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  }));
  const calls: string[] = [];
  const ownership = () => ({
    instanceMarks: async (ids: readonly string[]) => new Map(ids.map((id) => [id, { tags }])),
    vpcTags: async () => undefined,
  });
  const deps = { objects, clock, ownership } as unknown as LoadBalancerDependencies;
  const elb = {
    registerTarget: async (_group: unknown, id: string) => {
      calls.push(id);
      if (refusal) throw refusal;
      return true;
    },
  };
  const situation = { scope: { name: NAME, aws: {} as never }, elb, withTargets: async () => OBSERVED };
  await registerMissing(deps, situation, { reportOnly: false });
  const events = (await objects.list(kinds.event, 'blue')) as unknown as { reason: string; message?: string }[];
  return { calls, events: events.map(({ reason, message }) => [reason, message]) };
};

const registered = async (tags: Tags): Promise<string[]> => (await register(tags)).calls;

const tagsOf = (namespace: string): Tags =>
  buildTags({
    cluster: { namespace, name: 'prod' },
    role: 'control-plane',
    extra: { MachineName: `${namespace}/m` },
  });

it('registers the instance of a machine, and none that the machine only names', async () => {
  expect(await registered(tagsOf('blue'))).toEqual(['i-1']);
  expect(await registered(tagsOf('victim'))).toEqual([]);
  expect(await registered({})).toEqual([]);
});

const answer = (name: string, message: string): Error => Object.assign(new Error(message), { name, $metadata: {} });

it('reports an instance that the target group does not accept, and goes on', async () => {
  const refusal = answer('InvalidTargetException', "The following targets have no primary IPv6 address: 'i-1'");
  expect((await register(tagsOf('blue'), refusal)).events).toEqual([
    ['FailedAttachControlPlaneELB', expect.stringContaining('target group group: ')],
  ]);
  await expect(register(tagsOf('blue'), answer('Throttling', 'Rate exceeded'))).rejects.toThrow('Rate exceeded');
});
