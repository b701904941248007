import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { WorkloadRefusedError } from '../../../shared/workload/client.ts';
import { putNewer } from './drain/test-newer.ts';
import { context, makeWorld, node } from './test-world.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

/** The refusal of a webhook that does not respond. */
const REFUSED = new WorkloadRefusedError({ code: 500, reason: 'InternalError', causes: [] });

describe('deleteNode', () => {
  it('deletes the node of a single deleted machine, and keeps it if the whole cluster is deleted', async () => {
    const w = await makeWorld(database);
    w.state.nodes = [node('True')];
    await w.steps.confirmNode(w.input, context);
    await w.objects.delete(kinds.machine, w.input.machine);
    await w.steps.deleteNode(w.input, context);
    expect(w.state.deleted).toEqual(['ip-10-0-0-1']);

    await w.objects.mutate(kinds.cluster, { namespace: 'default', name: 'red' }, (c) => ({
      ...c,
      metadata: { ...c.metadata, finalizers: ['keep/it'] },
    }));
    await w.objects.delete(kinds.cluster, { namespace: 'default', name: 'red' });
    await w.steps.deleteNode(w.input, context);
    expect(w.state.deleted).toEqual(['ip-10-0-0-1']);
  });

  it.each([
    ['that has its provider id', node('True')],
    ['that nobody has initialized yet', { ...node('True'), spec: {} }],
  ])('deletes a node %s and that joined while its machine was already being deleted', async (_, late) => {
    const w = await makeWorld(database);
    await w.objects.mutate(kinds.awsMachine, w.input.machine, (current) => ({
      ...current,
      status: { ...current.status, addresses: [{ type: 'InternalDNS' as const, address: 'ip-10-0-0-1' }] },
    }));
    await w.objects.delete(kinds.machine, w.input.machine);
    expect(await w.steps.drainNode(w.input, context)).toMatchObject({ progress: 'done' });
    w.state.nodes = [{ metadata: { name: 'ip-10-0-0-2' }, spec: {} }, late];
    expect(await w.steps.deleteNode(w.input, context)).toEqual({ deleted: true });
    expect(w.state.deleted).toEqual(['ip-10-0-0-1']);
  });

  it('keeps a node that a newer instance with the same address has registered', async () => {
    const w = await makeWorld(database);
    w.state.nodes = [node('True')];
    await w.steps.confirmNode(w.input, context);
    await w.objects.delete(kinds.machine, w.input.machine);
    w.state.nodes = [{ ...node('True'), spec: { providerID: 'aws:///a/i-newer' } }];
    expect(await w.steps.deleteNode(w.input, context)).toEqual({ deleted: true });
    expect(w.state.deleted).toEqual([]);
  });

  it.each([
    { what: 'was seen', nodes: [node('True')] },
    { what: 'was never seen', nodes: [] },
  ])("keeps the uninitialized node of a newer instance if the machine's own node $what", async ({ nodes }) => {
    const w = await makeWorld(database);
    await w.objects.mutate(kinds.awsMachine, w.input.machine, (current) => ({
      ...current,
      status: { ...current.status, addresses: [{ type: 'InternalDNS' as const, address: 'ip-10-0-0-1' }] },
    }));
    w.state.nodes = nodes;
    await w.steps.confirmNode(w.input, context);
    await w.objects.delete(kinds.machine, w.input.machine);
    await putNewer(w.objects, 'ip-10-0-0-1');
    w.state.nodes = [{ ...node('True'), spec: {} }];
    await w.steps.deleteNode(w.input, context);
    expect(w.state.deleted).toEqual([]);
  });

  it('continues if no API server answers and no node was ever seen', async () => {
    const w = await makeWorld(database);
    await w.objects.delete(kinds.machine, w.input.machine);
    w.state.reachable = false;
    expect(await w.steps.deleteNode(w.input, context)).toEqual({ deleted: false });
  });

  it.each([
    { does: 'does not respond', given: { reachable: false }, why: 'connect ECONNREFUSED' },
    { does: 'refuses it', given: { refuses: REFUSED }, why: REFUSED.message },
  ])(
    'tries again while the API server $does, and gives up after the timeout with a warning',
    async ({ given, why }) => {
      const w = await makeWorld(database);
      w.state.nodes = [node('True')];
      await w.steps.confirmNode(w.input, context);
      await w.objects.delete(kinds.machine, w.input.machine);
      Object.assign(w.state, given);
      await expect(w.steps.deleteNode(w.input, context)).rejects.toMatchObject({ name: 'Transient' });
      expect((await w.condition('Deleting'))?.message).toBe(`Error deleting Node: ${why}`);
      w.clock.advance(11);
      expect(await w.steps.deleteNode(w.input, context)).toEqual({ deleted: false });
      const events = await w.objects.list(kinds.event, 'default');
      expect(events.some(({ reason }) => reason === 'FailedDeleteNode')).toBe(true);
    },
  );
});
