import { expect, it } from 'vitest';
import { type AWSMachine, KINDS, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { createRegistry } from '../../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../shared/kube-api/storage/object-client.ts';
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

const accept = async (): Promise<boolean> => true;

/** Registers the missing targets for a machine whose instance has these tags; returns what was registered. */
const registering = async (tags: Tags, answer: () => Promise<boolean> = accept) => {
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
      return answer();
    },
  };
  const situation = { scope: { name: NAME, aws: {} as never }, elb, withTargets: async () => OBSERVED };
  await registerMissing(deps, situation, { reportOnly: false });
  const { status } = (await objects.get(kinds.awsMachine, KEY)) ?? {};
  const events = await objects.list(kinds.event, 'blue');
  return {
    calls,
    condition: status?.conditions?.find(({ type }) => type === 'ELBAttached'),
    reasons: events.map(({ reason }) => reason),
  };
};

const tagsOf = (namespace: string): Tags =>
  buildTags({
    cluster: { namespace, name: 'prod' },
    role: 'control-plane',
    extra: { MachineName: `${namespace}/m` },
  });

it('registers the instance of a machine, but not one with the tags of another cluster', async () => {
  expect((await registering(tagsOf('blue'))).calls).toEqual(['i-1']);
  expect((await registering(tagsOf('victim'))).calls).toEqual([]);
  expect((await registering({})).calls).toEqual([]);
});

it('reports an instance that AWS refuses, which is then no longer a member', async () => {
  const message = "The following targets have no primary IPv6 address: 'i-1'";
  const refuse = async () => {
    throw Object.assign(new Error(message), { name: 'InvalidTargetException', $metadata: {}, $fault: 'client' });
  };
  expect(await registering(tagsOf('blue'), refuse)).toEqual({
    calls: ['i-1'],
    condition: expect.objectContaining({
      status: 'False',
      reason: 'ELBAttachFailed',
      message: `Control plane instance i-1 cannot be registered with target group group: InvalidTarget: ${message}`,
    }),
    reasons: ['FailedAttachControlPlaneELB'],
  });
});

it('ignores an instance that does not run, which another check reports', async () => {
  const { condition, reasons } = await registering(tagsOf('blue'), async () => false);
  expect([condition?.status, reasons]).toEqual(['True', []]);
});
