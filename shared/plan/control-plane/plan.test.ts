import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import type { Condition } from '../../kube-api/object.ts';
import { type ControlPlaneFacts, planControlPlane } from './plan.ts';

const healthConditions = ['APIServerPodHealthy', 'EtcdMemberHealthy'];

const controlPlane = (replicas: number, initialized: boolean): ControlPlane =>
  ({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: { name: 'cp', namespace: 'default', uid: 'cp-uid' },
    spec: {
      replicas,
      version: 'v1.34.0',
      machineTemplate: { spec: { infrastructureRef: { apiGroup: 'i', kind: 'AWSMachineTemplate', name: 't' } } },
    },
    status: initialized ? { initialization: { controlPlaneInitialized: true } } : {},
  }) as ControlPlane;

const healthy: Condition[] = healthConditions.map((type) => ({
  type,
  status: 'True',
  reason: 'Running',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
}));

const machine = (
  name: string,
  over: {
    zone?: string;
    deleting?: boolean;
    conditions?: Condition[];
    node?: boolean;
    born?: number;
    marked?: true;
  } = {},
): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      creationTimestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, over.born ?? 0)).toISOString(),
      ...(over.deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(over.marked ? { annotations: { 'cluster.x-k8s.io/delete-machine': '' } } : {}),
    },
    spec: {
      clusterName: 'c',
      bootstrap: {},
      infrastructureRef: { apiGroup: 'i', kind: 'AWSMachine', name },
      failureDomain: over.zone,
    },
    status: { ...(over.node === false ? {} : { nodeRef: { name } }), conditions: over.conditions ?? healthy },
  }) as Machine;

const zones = ['a', 'b', 'c'];

/** The facts of an initialized control plane with one machine in each zone, unless overridden. */
const formed = (over: Partial<ControlPlaneFacts> = {}): ControlPlaneFacts => ({
  controlPlane: controlPlane(3, true),
  machines: [machine('x', { zone: 'a' }), machine('y', { zone: 'b' }), machine('z', { zone: 'c' })],
  outdated: new Set(),
  healthConditions,
  failureDomains: zones,
  maxSurge: 1,
  ...over,
});
const sick = healthy.map((c) => ({ ...c, status: 'False', message: 'no quorum' })) as Condition[];

describe('planControlPlane', () => {
  it('creates a bounded number of machines at a time, for any requested number', () => {
    const plan = planControlPlane(formed({ controlPlane: controlPlane(2_147_483_647, false), machines: [] }));
    expect(plan.create).toHaveLength(25);
  });

  it('creates all machines of the first formation together, one in each zone', () => {
    const plan = planControlPlane(formed({ controlPlane: controlPlane(3, false), machines: [] }));

    expect(plan.create.map(({ failureDomain }) => failureDomain)).toEqual(zones);
    expect(new Set(plan.create.map(({ name }) => name)).size).toBe(3);
  });

  it('deletes stranded machines together, and creates none before all of them are gone', () => {
    const facts = formed({ controlPlane: controlPlane(3, false), stranded: ['y', 'z'] });
    expect(planControlPlane(facts)).toEqual({ create: [], remove: ['y', 'z'] });
    const going = [machine('y', { deleting: true }), machine('z')];
    expect(planControlPlane({ ...facts, stranded: [], machines: going })).toEqual({
      create: [],
      blocked: '* Machine y is being deleted',
    });
  });

  it('chooses the same names when it runs again, and continues where an interrupted pass stopped', () => {
    const facts = formed({ controlPlane: controlPlane(3, false), machines: [] });
    const first = planControlPlane(facts);
    const [made] = first.create;
    const again = planControlPlane({ ...facts, machines: [machine(made?.name ?? '', { zone: 'a' })] });

    expect(planControlPlane(facts)).toEqual(first);
    expect(again.create).toEqual(first.create.slice(1));
  });

  describe('with a template for the names of machines', () => {
    const variables = { cluster: { name: 'demo' }, kubeadmControlPlane: { name: 'cp' } };
    const naming = { template: '{{ .cluster.name }}-master-{{ .random }}', variables };
    const failing = { template: '{{ if eq .cluster.name "cluster" }}a{{ else }}B{{ end }}-{{ .random }}', variables };
    const fault = /^\* failed to generate Machine name: the name "B-\w{5}" is not valid: a lowercase RFC 1123/;

    it('names new machines by the template, and skips names of other machines', () => {
      const facts = formed({ controlPlane: controlPlane(3, false), machines: [], naming });
      const names = planControlPlane(facts).create.map(({ name }) => name);
      expect(names).toEqual(Array(3).fill(expect.stringMatching(/^demo-master-\w{5}$/)));
      const others = planControlPlane({ ...facts, taken: names.slice(0, 1) }).create.map(({ name }) => name);
      expect(others).toEqual([...names.slice(1), expect.stringMatching(/^demo-master-\w{5}$/)]);
    });

    it.each([
      { when: 'a new control plane', facts: { controlPlane: controlPlane(3, false), machines: [] } },
      { when: 'a control plane that is scaled up', facts: { controlPlane: controlPlane(5, true) } },
      { when: 'a rollout', facts: { outdated: new Set(['x']), maxSurge: 0 } },
    ])('changes nothing while the template gives no names, and reports why: $when', ({ facts }) => {
      const plan = planControlPlane(formed({ ...facts, naming: failing }));
      expect(plan).toEqual({ create: [], blocked: expect.stringMatching(fault) });
    });

    it('needs no names if nothing is created', () => {
      expect(planControlPlane(formed({ naming: failing }))).toEqual({ create: [] });
      expect(planControlPlane(formed({ controlPlane: controlPlane(1, true), naming: failing })).remove).toHaveLength(1);
    });
  });

  describe('if all machines are being deleted', () => {
    const going = machine('x', { deleting: true });
    const ill = machine('y', { deleting: true, conditions: sick });
    const waits = { create: [], blocked: '* Machine x is being deleted' };
    it.each<{ reason: string; over: Partial<ControlPlaneFacts>; creates: number }>([
      { reason: 'etcd would keep the member of the only machine', over: { machines: [going] }, creates: 1 },
      { reason: 'one of them is still healthy', over: { machines: [going, ill] }, creates: 1 },
      { reason: 'the machine is also outdated', over: { machines: [going], outdated: new Set(['x']) }, creates: 1 },
      { reason: 'none of them is healthy', over: { machines: [ill] }, creates: 0 },
      { reason: 'another machine is joining', over: { machines: [going, machine('n', { node: false })] }, creates: 0 },
      {
        reason: 'etcd is external',
        over: { machines: [going], healthConditions: ['APIServerPodHealthy'] },
        creates: 0,
      },
    ])('creates $creates: $reason', ({ over, creates }) => {
      expect(planControlPlane(formed({ controlPlane: controlPlane(1, true), ...over })).create).toHaveLength(creates);
    });

    it('creates none while its template gives no names', () => {
      const facts = formed({ controlPlane: controlPlane(1, true), machines: [going] });
      const naming = { template: 'B-{{ .random }}', variables: {} };
      expect(planControlPlane({ ...facts, naming }).blocked).toMatch('failed to generate Machine name');
    });

    it('waits for their deletion if another machine remains', () => {
      const facts = formed({ controlPlane: controlPlane(3, true), machines: [going, machine('z')] });
      expect(planControlPlane(facts)).toEqual(waits);
    });
  });

  it('grows a formed control plane by one machine, in the zone with the fewest', () => {
    const plan = planControlPlane(
      formed({ controlPlane: controlPlane(5, true), failureDomains: ['a', 'b', 'c', 'd'] }),
    );

    expect(plan.create).toHaveLength(1);
    expect(plan.create[0]?.failureDomain).toBe('d');
  });

  it.each([
    { reason: 'a machine is being deleted', bad: machine('x', { deleting: true }), text: 'is being deleted' },
    { reason: 'a machine has no node', bad: machine('x', { node: false }), text: 'nodeRef not set' },
    {
      reason: 'an etcd member is unhealthy',
      bad: machine('x', { conditions: [healthy[0], sick[1]] as Condition[] }),
      text: 'EtcdMemberHealthy is False: no quorum',
    },
  ])('changes nothing while $reason', ({ bad, text }) => {
    const machines = [bad, machine('y', { zone: 'b' }), machine('z', { zone: 'c' })];
    const plans = [
      planControlPlane(formed({ controlPlane: controlPlane(5, true), machines })),
      planControlPlane(formed({ controlPlane: controlPlane(1, true), machines, failureDomains: ['b', 'c'] })),
      planControlPlane(formed({ machines, outdated: new Set(['y']), maxSurge: 0 })),
    ];

    for (const plan of [plans[0], plans[2]])
      expect(plan).toEqual({ create: [], blocked: expect.stringContaining(text) });
    // The unhealthy machine is deleted unless its deletion is already in progress.
    expect(plans[1]).toEqual(
      bad.metadata.deletionTimestamp ? { create: [], blocked: expect.anything() } : { create: [], remove: ['x'] },
    );
  });

  it('creates a machine before it deletes the only one, whatever the surge', () => {
    const alone = { controlPlane: controlPlane(1, true), outdated: new Set(['x']), maxSurge: 0 };
    const plan = planControlPlane(formed({ ...alone, machines: [machine('x', { zone: 'a' })] }));

    expect(plan).toEqual({ create: [expect.objectContaining({ failureDomain: 'b' })] });
  });

  it('does nothing when the state is as desired', () => {
    expect(planControlPlane(formed())).toEqual({ create: [] });
  });

  it.each<{ reason: string; facts: Partial<ControlPlaneFacts>; goes: string }>([
    {
      reason: 'the oldest in the fullest zone',
      facts: {
        controlPlane: controlPlane(3, true),
        machines: [
          machine('v', { zone: 'a', born: 1 }),
          machine('w', { zone: 'b', born: 3 }),
          machine('x', { zone: 'b', born: 2 }),
          machine('y', { zone: 'c', born: 0 }),
        ],
      },
      goes: 'x',
    },
    {
      reason: 'one in a failure domain that no longer exists',
      facts: { controlPlane: controlPlane(1, true), failureDomains: ['a', 'c'] },
      goes: 'y',
    },
    {
      reason: 'one that the user has marked',
      facts: {
        controlPlane: controlPlane(1, true),
        machines: [machine('x', { zone: 'a' }), machine('y', { zone: 'b', marked: true }), machine('z', { zone: 'c' })],
        outdated: new Set(['x']),
        maxSurge: 0,
      },
      goes: 'y',
    },
    {
      reason: 'an outdated, unhealthy one before an older healthy one',
      facts: {
        machines: [
          machine('x', { zone: 'a' }),
          machine('y', { zone: 'b', born: 5, conditions: sick }),
          machine('z', { zone: 'c' }),
        ],
        outdated: new Set(['x', 'y']),
        maxSurge: 0,
      },
      goes: 'y',
    },
  ])('deletes $reason', ({ facts, goes }) => {
    expect(planControlPlane(formed(facts))).toEqual({ create: [], remove: [goes] });
  });

  it('rolls out with one additional machine if allowed, and with one less otherwise', () => {
    const outdated = new Set(['x', 'y', 'z']);

    expect(planControlPlane(formed({ outdated })).create).toEqual([
      { name: expect.stringMatching(/^cp-/), failureDomain: 'a' },
    ]);
    expect(planControlPlane(formed({ outdated, maxSurge: 0 }))).toEqual({ create: [], remove: ['x'] });
  });
});
