import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { DRIFTED } from '../../../shared/plan/drift/claims.ts';
import { readNotice } from '../../../shared/plan/instance-events/notice.ts';
import { createTestFleet, NAMESPACE, type TestFleet } from '../test-fleet.ts';

let fleet: TestFleet;

beforeEach(async () => {
  fleet = await createTestFleet();
});

const drifted = async (name: string) => {
  const conditions = (await fleet.machine(name))?.status?.conditions ?? [];
  const { status, reason, message } = conditions.find(({ type }) => type === DRIFTED) ?? {};
  return status && [status, reason, message];
};

const tagsOf = (id: string) => fleet.listed('here').get(id)?.tags ?? {};

describe('an instance that was changed outside Windlass', () => {
  it('gets its tags back, and the machine reports the drift until then', async () => {
    const { MachineName: _, ...tags } = tagsOf('i-red-1');
    const before = tagsOf('i-red-1');
    fleet.alter('i-red-1', { tags });
    await fleet.run();
    expect(fleet.calls).toEqual(['tag i-red-1 MachineName']);
    expect(await drifted('red-1')).toEqual([
      'True',
      'InstanceTags',
      'InstanceTags: its tags were changed: MachineName is missing; this is repaired',
    ]);

    fleet.alter('i-red-1', { tags: before });
    await fleet.run();
    expect(await drifted('red-1')).toEqual(['False', 'NoDrift', '']);
    expect(fleet.calls).toHaveLength(1);
    expect(fleet.touched).toEqual([]);
  });

  it('is only reported, once, if the policy says so', async () => {
    await fleet.setPolicy('Report');
    fleet.alter('i-red-1', { tags: {} });
    await fleet.run();
    await fleet.run();
    expect(fleet.calls).toEqual([]);
    expect((await drifted('red-1'))?.[1]).toBe('InstanceTags');
    expect(await fleet.warnings()).toEqual(['InstanceTags']);
  });

  it('keeps its tags, and the machine adopts them, if the policy says so', async () => {
    await fleet.setPolicy('InstanceTags=Adopt');
    fleet.alter('i-red-1', { tags: { ...tagsOf('i-red-1'), Name: 'mine' } });
    await fleet.run();
    const infrastructure = await fleet.objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-1' });
    expect(infrastructure?.spec.additionalTags).toEqual({ Name: 'mine' });
    await fleet.run();
    expect((await drifted('red-1'))?.[0]).toBe('False');
  });

  it('does not cost a tag that a user has set or changed since the sweep read the machine', async () => {
    const change = (additionalTags: object) =>
      fleet.objects.mutate(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-1' }, (current) => ({
        ...current,
        spec: { ...current.spec, additionalTags: { ...current.spec.additionalTags, ...additionalTags } },
      }));
    await fleet.setPolicy('InstanceTags=Adopt');
    await change({ cost: '1', gone: 'x', team: 'a' });
    fleet.alter('i-red-1', { tags: { ...tagsOf('i-red-1'), cost: '2', team: 'b' } });
    let isChanged = false;
    await fleet.run((dependencies) => ({
      ...dependencies,
      objects: {
        ...dependencies.objects,
        mutate: async (kind, ...rest) => {
          if (kind.kind === 'AWSMachine' && !isChanged) await change({ late: 'y', team: 'c' });
          isChanged ||= kind.kind === 'AWSMachine';
          return dependencies.objects.mutate(kind, ...rest);
        },
      },
    }));
    const infrastructure = await fleet.objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-1' });
    expect(infrastructure?.spec.additionalTags).toEqual({ cost: '2', late: 'y', team: 'c' });
  });

  it('is started again if the policy says so', async () => {
    await fleet.setPolicy('InstanceStopped=Repair');
    fleet.alter('i-red-1', { state: 'stopped' });
    await fleet.run();
    expect(fleet.calls).toEqual(['start i-red-1']);
  });

  it('is replaced through a notice to its owner if the policy says so', async () => {
    fleet.alter('i-red-1', { type: 't3.small' });
    await fleet.run();
    expect(readNotice((await fleet.machine('red-1')) ?? { metadata: { name: '' } })).toBeUndefined();

    await fleet.setPolicy('InstanceType=Repair');
    await fleet.run();
    const machine = await fleet.machine('red-1');
    expect(machine && readNotice(machine)).toMatchObject({
      reason: 'Drift',
      what: 'it is a t3.small and was created as a t3.large',
    });
    expect(fleet.touched).toEqual(['red']);
  });
});

describe('an instance without an owner', () => {
  const add = (tags: Record<string, string> = {}) => {
    const known = fleet.listed('here').get('i-red-1');
    const own = { ...known?.tags, 'windlass.dev/machine-uid': 'x', ...tags };
    if (known) fleet.listed('here').set('i-other', { ...known, tags: own });
  };

  it('is reported on its cluster', async () => {
    add();
    await fleet.run();
    expect(fleet.calls).toEqual([]);
    expect(await fleet.warnings()).toEqual(['DriftReported']);
    await fleet.run();
    expect(await fleet.warnings()).toEqual(['DriftReported']);
  });

  it('is not the cluster’s if another account or region has it, whatever its tags are', async () => {
    await fleet.setPolicy('UnknownInstance=Repair');
    await fleet.addCluster('green', 'there');
    add();
    const [here, there] = [fleet.listed('here'), fleet.listed('there')];
    const forged = here.get('i-other');
    if (forged) there.set('i-other', forged);
    here.delete('i-other');
    await fleet.run();
    expect(fleet.calls).toEqual([]);
    expect(await fleet.warnings()).toEqual([]);
  });

  it('is terminated if the policy says so', async () => {
    await fleet.setPolicy('UnknownInstance=Repair');
    add();
    await fleet.run();
    expect(fleet.calls).toEqual(['terminate i-other']);
  });

  it('is only reported, whatever the policy, if it may be an etcd member', async () => {
    await fleet.setPolicy('UnknownInstance=Repair');
    add({ 'sigs.k8s.io/cluster-api-provider-aws/role': 'control-plane' });
    await fleet.run();
    expect(fleet.calls).toEqual([]);
    expect(await fleet.warnings()).toEqual(['DriftReported']);
  });

  it('stays untouched while the sweep is suspended', async () => {
    await fleet.setPolicy('UnknownInstance=Repair');
    add();
    for (const id of [...fleet.listed('here').keys()]) if (id !== 'i-other') fleet.listed('here').delete(id);
    expect(await fleet.run()).toMatchObject({ isSuspicious: true });
    expect(fleet.calls).toEqual([]);
  });
});

describe('a machine whose spec was changed while its instance runs', () => {
  const change = async (name: string, spec: object) => {
    await fleet.objects.mutate(kinds.awsMachine, { namespace: NAMESPACE, name }, (current) => ({
      ...current,
      spec: { ...current.spec, ...spec },
    }));
  };

  const LAUNCH = {
    'windlass.dev/launch': JSON.stringify({ at: '2026-01-01T00:00:00Z', request: { TagSpecifications: [] } }),
  };

  it('loses the tags that were removed from its spec, on its volumes as well, and no others', async () => {
    fleet.alter('i-red-1', { volumes: ['vol-1'], tags: { ...tagsOf('i-red-1'), foreign: 'x', cost: 'a', team: 'b' } });
    await change('red-1', { additionalTags: { cost: 'a', team: 'b' } });
    await fleet.objects.mutate(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-1' }, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: LAUNCH },
    }));
    await fleet.run();
    expect(fleet.calls).toEqual(['tag vol-1 cost,team']);

    await change('red-1', { additionalTags: { cost: 'a' } });
    await fleet.run();
    await fleet.run();
    expect(fleet.calls).toEqual(['tag vol-1 cost,team', 'untag i-red-1+vol-1 team']);
  });

  it('gets the security groups that match its filters', async () => {
    const groups = ['node', 'lb', 'apiserver-lb'];
    const securityGroups = Object.fromEntries(groups.map((role) => [role, { id: `sg-${role}`, name: role }]));
    await fleet.objects.mutate(kinds.awsCluster, { namespace: NAMESPACE, name: 'red' }, (current) => ({
      ...current,
      status: { ...current.status, networkStatus: { securityGroups } },
    }));
    for (const id of fleet.listed('here').keys())
      fleet.alter(id, { interfaces: [{ id: `eni-${id}`, description: '', groups: ['sg-node', 'sg-lb'] }] });
    await change('red-1', { additionalSecurityGroups: [{ filters: [{ name: 'group-name', values: ['db'] }] }] });
    await fleet.run();
    expect(fleet.calls).toEqual(['groups eni-i-red-1 sg-db,sg-lb,sg-node']);
  });
});
