import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bodyFor,
  createTestWorld,
  eventually,
  FLATCAR,
  flatcarUserData,
  plainUserData,
  secretUserData,
  type TestWorld,
  TOKENS,
} from './test-world.ts';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

const isReady = (node: { status?: { conditions?: { type: string; status: string }[] } }): boolean =>
  node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

describe('a fleet of simulated machines', () => {
  let world: TestWorld;
  let ids: string[];
  const consoles = (): string => ids.map((id) => world.fleet.console(id).join('\n')).join('\n\n');
  const readyNodes = (count: number) =>
    eventually(async () => {
      const nodes = await world.nodes();
      return nodes.filter(isReady).length === count && nodes;
    }, consoles);

  beforeAll(async () => {
    world = await createTestWorld();
    // All at once: machines that join wait for the control plane, which does not exist yet.
    ids = [
      world.launch(flatcarUserData(world, TOKENS[0]), FLATCAR),
      world.launch(plainUserData(bodyFor(world, 'control-plane', TOKENS[1]))),
      world.launch(secretUserData(world, bodyFor(world, 'control-plane', TOKENS[2]))),
      world.launch(secretUserData(world, bodyFor(world, 'init'))),
    ];
  });
  afterAll(() => world.close());

  it('forms a cluster from machines that start together', async () => {
    const nodes = await readyNodes(4);
    expect(nodes.map(({ metadata, spec }) => [metadata?.name, spec?.providerID])).toEqual(
      ids.map((id, index) => [`ip-10-0-0-${index + 10}.ec2.internal`, `aws:///us-east-1a/${id}`]),
    );
    const [worker] = nodes;
    expect(worker?.metadata?.labels?.['example.com/pool']).toBe('blue');
    expect(worker?.status?.nodeInfo?.kubeletVersion).toBe('v1.34.0');
  });

  it('labels and taints only the control plane nodes', async () => {
    const marked = await eventually(async () => {
      const nodes = (await world.nodes()).filter(({ metadata }) => CONTROL_PLANE in (metadata?.labels ?? {}));
      return nodes.length === 3 && nodes;
    }, consoles);
    expect(marked.map(({ spec }) => spec?.taints?.map(({ key }) => key))).toEqual(Array(3).fill([CONTROL_PLANE]));
  });

  it('deletes the secrets with the user data', () => {
    expect([...world.secrets.keys()]).toEqual([]);
  });

  it('reports the static pods of each control plane machine', async () => {
    const { api } = await world.admin();
    const pods = await eventually(async () => {
      const { items } = await api.listNamespacedPod({ namespace: 'kube-system', labelSelector: 'tier=control-plane' });
      return items.length === 12 && items.every(({ status }) => status?.phase === 'Running') && items;
    }, consoles);
    expect(new Set(pods.map(({ spec }) => spec?.nodeName)).size).toBe(3);
  });

  it('writes no secret to the boot logs', () => {
    for (const token of TOKENS) expect(consoles()).not.toContain(token.slice(7));
    expect(consoles()).not.toContain('PRIVATE KEY');
  });

  it('is available while a minority of the control plane is gone, but not without a quorum', async () => {
    world.setState(ids[1] ?? '', 'terminated');
    expect(await readyNodes(4)).toHaveLength(4);
    world.setState(ids[2] ?? '', 'stopped');
    await eventually(async () => {
      const failure = await world.nodes().then(
        () => '',
        (error: Error) => error.message,
      );
      return failure.includes('etcdserver: request timed out');
    }, consoles);
    world.setState(ids[2] ?? '', 'running');
    // The node of the terminated machine is Unknown once its lease ends, so it is not counted.
    const survivors = [0, 2, 3].map((index) => `ip-10-0-0-${index + 10}.ec2.internal`);
    const ready = await eventually(async () => {
      const names = (await world.nodes()).filter(isReady).map(({ metadata }) => metadata?.name ?? '');
      return survivors.every((name) => names.includes(name)) && names;
    }, consoles);
    expect(ready).toEqual(expect.arrayContaining(survivors));
  });
});
