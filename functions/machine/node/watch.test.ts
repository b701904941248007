import type { V1Node } from '@kubernetes/client-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { lookUp } from '../../../shared/kube-api/object.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { context, makeWorld, type NodeWorld, node } from './test-world.ts';

const OTHER_ID = 'aws:///us-east-1a/i-2';
const NO_ONE = { progress: 'done', waitSeconds: 0, finished: [], anyFinished: false };

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

/** Adds another worker like the first, with its own execution. */
const addOther = async (w: NodeWorld, number = 2): Promise<MachineInput> => {
  const own = `m-${number}`;
  const copy = ({ name, namespace, labels }: { name: string; namespace?: string; labels?: object }) => ({
    name: name.replace('m-1', own),
    namespace,
    labels: labels as Record<string, string>,
  });
  const first = (await w.objects.get(kinds.machine, w.input.machine)) as Machine;
  const infrastructure = await w.objects.get(kinds.awsMachine, w.input.machine);
  if (!infrastructure) throw new Error('no AWSMachine');
  const providerID = OTHER_ID.replace('i-2', `i-${number}`);
  const spec = { ...infrastructure.spec, providerID, instanceID: `i-${number}` };
  await w.objects.ensure(kinds.awsMachine, { ...infrastructure, metadata: copy(infrastructure.metadata), spec });
  const reference = { ...first.spec.infrastructureRef, name: own };
  const { object } = await w.objects.ensure(kinds.machine, {
    ...first,
    metadata: { ...copy(first.metadata), finalizers: first.metadata.finalizers },
    spec: { ...first.spec, providerID, infrastructureRef: reference },
  });
  const machine = { ...w.input.machine, name: own, uid: object.metadata.uid ?? '' };
  await w.work.beginMachine(machine, 'other', 120);
  return { machine, holder: 'other' };
};

const named = ({ machine: { name, uid } }: MachineInput) => ({ name, uid });
const clusterOf = ({ machine: { namespace, clusterName, clusterUid } }: MachineInput) => ({
  namespace,
  name: clusterName,
  uid: clusterUid,
});

describe('watchNodes', () => {
  let w: NodeWorld;
  let other: MachineInput;
  const watch = (input = w.input) => w.steps.watchNodes(input, context);
  const inWork = () => w.work.machinesInWork(clusterOf(w.input));
  beforeEach(async () => {
    w = await makeWorld(database);
    other = await addOther(w);
    w.state.nodes = [];
    expect(await w.steps.confirmNode(w.input, context)).toMatchObject({ progress: 'watch' });
    expect(await w.steps.confirmNode(other, context)).toMatchObject({ progress: 'joined' });
  });

  it('polls for the nodes of all machines in one execution, without their leases', async () => {
    expect(await inWork()).toEqual({
      busy: new Set(),
      awaited: new Set([w.input.machine.uid, other.machine.uid]),
      isWatched: true,
      leasedUntil: new Date(w.clock.now().getTime() + 120_000),
    });
    w.state.nodes = [node('True', OTHER_ID)];
    expect(await watch()).toEqual({ progress: 'wait', waitSeconds: 1, finished: [named(other)], anyFinished: true });
    const machine = await w.objects.get(kinds.machine, other.machine);
    expect(machine?.status).toMatchObject({ phase: 'Running', nodeRef: { name: 'ip-10-0-0-1' } });
    await w.work.leaveNodeWatch(clusterOf(w.input), [other.machine.uid]);
    w.state.nodes = [node('True')];
    expect(await watch()).toMatchObject({ progress: 'done', finished: [named(w.input)] });
    expect((await inWork()).isWatched).toBe(false);
  });

  it('requests one pass for all results of a poll', async () => {
    w.touched.length = 0;
    w.state.nodes = [node('True'), node('True', OTHER_ID)];
    await watch();
    expect(w.touched).toEqual(['red']);
  });

  it('returns only as many finished machines as fit into a workflow, and the rest in the next poll', async () => {
    const numbers = Array.from({ length: 205 }, (_, index) => index + 3);
    const added = await Promise.all(numbers.map((number) => addOther(w, number)));
    for (const { machine, holder } of added) await w.work.joinNodeWatch(machine, holder, 1);
    w.state.nodes = numbers.map((number) => node('True', OTHER_ID.replace('i-2', `i-${number}`)));

    const first = await watch();

    expect(first).toMatchObject({ progress: 'wait', waitSeconds: 1, anyFinished: true });
    expect(first.finished).toHaveLength(200);
    await w.work.leaveNodeWatch(
      clusterOf(w.input),
      first.finished.map(({ uid }) => uid),
    );
    const second = await watch();
    const names = [...first.finished, ...second.finished].map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(added.map(({ machine }) => machine.name)));
  });

  it('leaves a machine that is being deleted to its removal', async () => {
    await w.objects.delete(kinds.machine, other.machine);
    await watch();
    expect((await inWork()).awaited).toEqual(new Set([w.input.machine.uid]));
    expect((await w.objects.get(kinds.machine, other.machine))?.metadata.deletionTimestamp).toBeDefined();
  });

  it('returns a machine that causes an error, and continues with the others', async () => {
    const { mutate } = w.objects;
    w.objects.mutate = async (resource, target, change, options) => {
      if (lookUp(target).key.name === 'm-2') throw new Error('broken by its owner');
      return mutate(resource, target, change, options);
    };
    w.touched.length = 0;
    w.state.nodes = [node('True'), node('True', OTHER_ID)];
    expect(await watch()).toMatchObject({ finished: [named(w.input)] });
    expect((await inWork()).awaited.has(other.machine.uid)).toBe(false);
    expect(w.touched).toEqual(['red']);
  });

  it('ends if another execution has taken over', async () => {
    w.clock.advance(200);
    expect(await watch()).toMatchObject({ progress: 'wait', waitSeconds: 10 });
    expect(await w.work.joinNodeWatch(other.machine, 'newer', 1)).toBe('watching');
    expect(await watch()).toEqual(NO_ONE);
    expect(await watch({ ...other, holder: 'newer' })).toMatchObject({ progress: 'wait' });
  });

  it('waits before the next poll for half the time that the fastest machine of the cluster took', async () => {
    const joinedAfter = (seconds: number): V1Node => {
      const found = node('True', OTHER_ID);
      return {
        ...found,
        metadata: { ...found.metadata, creationTimestamp: new Date(w.clock.now().getTime() + seconds * 1000) },
      };
    };
    w.state.nodes = [joinedAfter(150)];
    w.clock.advance(15);
    expect(await watch()).toMatchObject({ progress: 'wait', waitSeconds: 60, finished: [named(other)] });
    w.clock.advance(60);
    expect(await watch()).toMatchObject({ progress: 'wait', waitSeconds: 5 });
  });

  it('reads no Machines while none of the nodes can belong to them', async () => {
    const { get } = w.objects;
    const kindsRead = new Set<string>();
    w.objects.get = async (resource, key) => {
      kindsRead.add(resource.kind);
      return get(resource, key);
    };
    w.state.nodes = [node('True', 'aws:///us-east-1a/i-another')];
    await watch();
    expect([...kindsRead].sort()).toEqual(['Cluster', 'Secret']);
    w.state.nodes = [node('True')];
    await watch();
    expect(kindsRead).toContain('AWSMachine');
  });

  it('finds a node without a provider id by the objects of its machine', async () => {
    const { spec, ...unnamed } = node('True');
    w.state.nodes = [{ ...unnamed, spec: { ...spec, providerID: undefined } }];
    const { get } = w.objects;
    let isAsked = false;
    w.objects.get = async (resource, key) => {
      isAsked ||= resource.kind === 'AWSMachine';
      return get(resource, key);
    };
    await watch();
    expect(isAsked).toBe(true);
  });

  it('requests no pass for a node that is not ready yet if the cluster is available', async () => {
    w.touched.length = 0;
    const claim = {
      type: 'Available',
      status: 'True',
      reason: 'Available',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const change = (current: Cluster): Cluster => ({
      ...current,
      status: { ...current.status, conditions: [claim] } as Cluster['status'],
    });
    await w.objects.mutate(kinds.cluster, { namespace: 'default', name: 'red' }, change);
    w.state.nodes = [node('False')];
    await watch();
    expect((await w.objects.get(kinds.machine, w.input.machine))?.status?.nodeRef).toBeDefined();
    expect(w.touched).toEqual([]);
    w.state.nodes = [node('True')];
    await watch();
    expect(w.touched).toEqual(['red']);
  });

  it('extends its lease before it expires, and before a long wait', async () => {
    const { holdNodeWatch } = w.work;
    const held: number[] = [];
    w.work.holdNodeWatch = async (cluster, holder, waitSeconds) => {
      held.push(waitSeconds);
      return holdNodeWatch(cluster, holder, waitSeconds);
    };
    await watch();
    expect(held).toEqual([]);
    w.clock.advance(70);
    await watch();
    expect(held).toEqual([5]);
    w.clock.advance(50);
    await watch();
    expect(held).toEqual([5, 10]);
  });

  it('continues if a machine is added at the last moment', async () => {
    w.state.nodes = [node('True'), node('True', OTHER_ID)];
    const { endNodeWatch } = w.work;
    w.work.endNodeWatch = async (...given) => {
      await w.work.joinNodeWatch({ ...other.machine, uid: 'late' }, 'late', 5);
      return endNodeWatch(...given);
    };
    expect(await watch()).toMatchObject({ progress: 'wait', waitSeconds: 1 });
  });

  it('ends before its history is too long, and requests the pass that starts another execution', async () => {
    w.clock.advance(15 * 60);
    await w.objects.mutate(kinds.machine, other.machine, ({ metadata, ...rest }) => {
      const { finalizers: _none, ...kept } = metadata;
      return { ...rest, metadata: kept };
    });
    await w.objects.delete(kinds.machine, other.machine);
    await w.objects.delete(kinds.awsMachine, other.machine);
    await w.work.holdNodeWatch(clusterOf(w.input), w.input.holder, 0);
    const late = await addOther(w);
    await w.work.joinNodeWatch(late.machine, late.holder, 20);
    w.clock.advance(14 * 60);
    expect(await watch()).toMatchObject({ progress: 'wait', waitSeconds: 20 });
    w.clock.advance(2 * 60);
    w.touched.length = 0;
    expect(await watch()).toEqual(NO_ONE);
    expect(w.touched).toEqual(['red']);
    const { awaited, isWatched } = await inWork();
    expect({ isAwaited: awaited.has(late.machine.uid), isWatched }).toEqual({ isAwaited: true, isWatched: false });
  });
});
