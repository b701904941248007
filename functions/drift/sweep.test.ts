import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { readNotice } from '../../shared/plan/instance-events/notice.ts';
import { isIn } from './shards.ts';
import { createTestFleet, NAMESPACE, type TestFleet } from './test-fleet.ts';

let fleet: TestFleet;

beforeEach(async () => {
  fleet = await createTestFleet();
});

describe('a sweep', () => {
  it('changes nothing in a fleet without differences', async () => {
    const result = await fleet.run();

    expect(result).toMatchObject({ due: 0, considered: 6, found: 0, isSuspicious: false, touched: 0, collected: 0 });
    expect(fleet.touched).toEqual([]);
  });

  it('surveys each kind once, kinds with finalizers once more each hour, and lists none', async () => {
    const listed: string[] = [];
    const surveyed: string[] = [];
    const run = () =>
      fleet.run((dependencies) => ({
        ...dependencies,
        objects: {
          ...dependencies.objects,
          list: (resource, namespace) => {
            listed.push(resource.plural);
            return dependencies.objects.list(resource, namespace);
          },
          survey: (resource, namespaces) => {
            surveyed.push(`${resource.plural} ${namespaces ?? ''}`);
            return dependencies.objects.survey(resource, namespaces);
          },
        },
      }));
    const where = 'default,kube-system';
    const onceEach = (plurals: string[]) => [...plurals.map((plural) => `${plural} ${where}`), 'namespaces '].sort();

    fleet.setTime('2030-01-01T00:10:00Z');
    await run();
    const always = ['awsclusters', 'awsmachines', 'clusters', 'machinehealthchecks', 'machinepools', 'machines'];
    expect(surveyed.splice(0).sort()).toEqual(onceEach(always));
    expect(listed.splice(0).filter((plural) => plural !== 'namespaces')).toEqual([]);

    fleet.setTime('2030-01-01T01:00:00Z');
    await run();
    const held = ['awsclusters', 'awsmachinepools', 'awsmachines', 'clusterresourcesets', 'hostclusters'];
    const controlPlanes = ['kubeadmcontrolplanes', 'rke2controlplanes'];
    expect(surveyed.sort()).toEqual(onceEach([...always, ...held, ...controlPlanes]));
    expect(listed.filter((plural) => plural !== 'namespaces')).toEqual([]);
  });

  it('marks a machine whose instance was terminated outside Windlass, once', async () => {
    fleet.alter('i-red-2', { state: 'terminated' });

    await fleet.run();
    await fleet.run();

    const key = { namespace: NAMESPACE, name: 'red-2' };
    const infrastructure = await fleet.objects.get(kinds.awsMachine, key);
    const machine = await fleet.objects.get(kinds.machine, key);
    const ready = infrastructure?.status?.conditions?.find(({ type }) => type === 'InstanceReady');
    expect(infrastructure?.status).toMatchObject({ instanceState: 'terminated', ready: false });
    expect(ready).toMatchObject({ status: 'False', reason: 'InstanceTerminated' });
    expect(machine?.status?.conditions?.find(({ type }) => type === 'InfrastructureReady')?.status).toBe('False');
    expect(await fleet.warnings()).toEqual(['InstanceTerminated']);
    expect(fleet.touched).toEqual(['red']);
  });

  it('treats an instance that EC2 no longer knows as terminated', async () => {
    fleet.listed('here').delete('i-red-2');

    await fleet.run();

    const infrastructure = await fleet.objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'red-2' });
    expect(infrastructure?.status?.instanceState).toBe('terminated');
  });

  it('of a part handles its own namespaces, and only the first part handles unfinished work', async () => {
    fleet.alter('i-red-2', { state: 'terminated' });
    fleet.due.push(await fleet.addCluster('lost', 'here'));
    const part = (index: number) => fleet.run((dependencies) => ({ ...dependencies, shard: { index, of: 3 } }));
    const home = [0, 1, 2].find((index) => isIn(NAMESPACE, { index, of: 3 })) ?? 0;

    for (const index of [0, 1, 2]) {
      const { due, considered, found } = await part(index);
      expect({ due, considered, found }).toEqual({
        due: index === 0 ? 1 : 0,
        ...(index === home ? { considered: 6, found: 1 } : { considered: 0, found: 0 }),
      });
    }
    expect(fleet.touched.sort()).toEqual(['lost', 'red']);
  });

  it('of a part does not treat an instance without the tag of its cluster as lost', async () => {
    fleet.alter('i-red-2', { tags: {} });
    const index = [0, 1, 2].find((one) => isIn(NAMESPACE, { index: one, of: 3 })) ?? 0;

    expect(await fleet.run((dependencies) => ({ ...dependencies, shard: { index, of: 3 } }))).toMatchObject({
      found: 0,
    });
  });

  it('changes nothing when most of the fleet looks lost at once, and reports it', async () => {
    fleet.listed('here').clear();

    const result = await fleet.run();

    const infrastructure = await fleet.objects.list(kinds.awsMachine);
    expect(result).toMatchObject({ found: 6, isSuspicious: true, touched: 0 });
    expect(infrastructure.map(({ status }) => status?.instanceState)).toEqual(Array(6).fill('running'));
    expect(await fleet.warnings()).toEqual(['SweepSuspended']);
  });

  it('starts the passes that were lost', async () => {
    fleet.due = [{ namespace: NAMESPACE, name: 'blue', uid: 'u' }];

    expect(await fleet.run()).toMatchObject({ due: 1, touched: 1 });
    expect(fleet.touched).toEqual(['blue']);
  });

  it.each([
    { unbegun: 2, stalled: 0 },
    { unbegun: 3, stalled: 1 },
  ])('counts $stalled clusters as stalled after $unbegun requests, and requests a pass again', async (given) => {
    fleet.due = [{ namespace: NAMESPACE, name: 'blue', uid: 'u' }];
    fleet.unbegun = given.unbegun;

    expect(await fleet.run()).toMatchObject({ due: 1, stalled: given.stalled, touched: 1 });
    expect(fleet.touched).toEqual(['blue']);
  });

  it('deletes objects whose owner is gone, and touches their cluster', async () => {
    const key = { namespace: NAMESPACE, name: 'red-0' };
    const owner = (await fleet.objects.get(kinds.awsMachine, key)) as AWSMachine;
    const { apiVersion, kind, metadata } = owner;
    const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }];
    const finalizers = ['toys.windlass.dev/hold'];
    await fleet.objects.mutate(kinds.machine, key, (machine) => ({
      ...machine,
      metadata: { ...machine.metadata, ownerReferences, finalizers },
    }));
    await fleet.objects.delete(kinds.awsMachine, key);

    expect(await fleet.run()).toMatchObject({ collected: 1 });
    expect((await fleet.objects.get(kinds.machine, key))?.metadata.deletionTimestamp).toBeDefined();
    expect(fleet.touched).toEqual(['red']);
  });

  it('records scheduled maintenance once, and its cancellation', async () => {
    const event = { id: 'instance-event-1', code: 'instance-retirement', notBefore: new Date('2026-12-01T00:00:00Z') };
    fleet.scheduled.set('i-red-1', [event]);
    const notice = async () => {
      const machine = await fleet.objects.get(kinds.machine, { namespace: NAMESPACE, name: 'red-1' });
      return machine && readNotice(machine);
    };

    await fleet.run();
    fleet.setTime('2026-11-20T13:05:00Z');
    await fleet.run();
    expect(await notice()).toMatchObject({ reason: 'ScheduledMaintenance', deadline: '2026-12-01T00:00:00.000Z' });
    expect(await fleet.warnings()).toEqual(['ScheduledMaintenance']);
    expect(fleet.touched).toEqual(['red']);

    fleet.scheduled.clear();
    await fleet.run();
    expect(await notice()).toBeUndefined();
    expect(fleet.touched).toEqual(['red', 'red']);
  });

  it('changes nothing in a region that does not answer, and reports it after the other regions', async () => {
    await fleet.addCluster('green', 'there');
    await fleet.addMachines('green', 'there', 1);
    fleet.regions.delete('there');
    fleet.alter('i-red-0', { state: 'terminated' });

    await expect(fleet.run()).rejects.toThrow('no answer from there');

    const silent = await fleet.objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'green-0' });
    expect(silent?.status?.instanceState).toBe('running');
    expect(fleet.touched).toEqual(['red']);
  });
});
