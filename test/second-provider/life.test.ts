import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { preview } from '../../functions/preview/preview.ts';
import { type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../shared/test-patience.ts';
import { newWorkload } from '../simulation/cluster/workload.ts';
import { conditionStatus } from './conditions.ts';
import { PLAIN_KINDS, plainMachine } from './kinds.ts';
import { clusterObjects, plainTemplate } from './objects.ts';
import { loseInstance, newRack } from './steps.ts';
import { makeWorld, type World } from './world.ts';

vi.mock('../../shared/kinds/index.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/kinds/index.ts')>();
  const { PLAIN_KINDS } = await import('./kinds.ts');
  return { ...original, KINDS: [...original.KINDS, ...PLAIN_KINDS] };
});

vi.mock('../../shared/providers/registry.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/providers/registry.ts')>();
  const { plain } = await import('./infrastructure.ts');
  return { ...original, ...original.registryOf([...original.INFRASTRUCTURES, plain]) };
});

let database: TestDatabase;
let world: World;
const outside = { rack: newRack(), workload: newWorkload() };

const key = (name: string) => ({ namespace: 'default', name });
const machines = (at = world): Promise<Machine[]> => at.objects.listOfCluster(kinds.machine, 'default', 'red');
const workers = async (): Promise<Machine[]> =>
  (await machines()).filter(({ metadata }) => !('cluster.x-k8s.io/control-plane' in (metadata.labels ?? {})));

/** Passes run, as if requested by a sweep, until a condition holds. */
const until = async (what: string, look: () => Promise<boolean>, at = world): Promise<void> => {
  const end = Date.now() + (PATIENCE_SECONDS / 4) * 1000;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    at.clock.advance(10);
    await at.touch();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const isSettled =
  (count: number, version = 'v1.34.0', at = world) =>
  async (): Promise<boolean> => {
    const all = await machines(at);
    const isThere = ({ status, spec }: Machine) => status?.phase === 'Running' && spec.version === version;
    return all.length === count && all.every(isThere) && conditionStatus(await at.cluster(), 'Available') === 'True';
  };

beforeAll(async () => {
  database = await startTestDatabase();
  world = await makeWorld(database, outside);
}, LIMIT);
afterAll(async () => {
  await world?.stop();
  await database?.stop();
});

describe('a cluster of another provider', { timeout: LIMIT }, () => {
  it('is planned before it is created', async () => {
    const [cluster] = clusterObjects();
    const changes = clusterObjects().flatMap((object) => {
      const resource = [...Object.values(kinds), ...PLAIN_KINDS].find(({ kind }) => kind === object.kind);
      const placed = { ...object, metadata: { ...object.metadata, uid: `paper-${object.metadata.name}` } };
      return resource ? [{ resource, type: 'created', object: placed } as never] : [];
    });
    const { clusters } = await preview({ reads: world.objects, now: world.clock.now() }, changes);
    expect(clusters.map((plan) => plan.cluster.name)).toEqual([cluster?.metadata.name]);
    const [plan] = clusters;
    expect(plan?.notes).toContain('makes nothing but an address');
    expect(plan?.owners.map(({ owner }) => owner.name).sort()).toEqual(['red', 'workers']);
  });

  it('comes up', async () => {
    for (const object of clusterObjects()) await world.apply(object);
    await until('3 + 2 machines', isSettled(5));
    expect(outside.rack.made).toHaveLength(5);
    expect(outside.rack.attached.size).toBe(3);
    expect((await world.cluster())?.spec.controlPlaneEndpoint).toEqual({ host: 'rack.example.com', port: 6443 });
    const [machine] = await machines();
    expect(machine?.spec.infrastructureRef).toMatchObject({
      apiGroup: 'infrastructure.example.com',
      kind: 'PlainMachine',
    });
    expect(machine?.status?.failureDomain).toBe('rack');
  });

  it('is scaled', async () => {
    await world.objects.mutate(kinds.machineDeployment, key('workers'), (current) => ({
      ...current,
      spec: { ...current.spec, replicas: 3 },
    }));
    await until('a third worker', isSettled(6));
  });

  it('shows the effects of a change', async () => {
    const deployment = await world.objects.get(kinds.machineDeployment, key('workers'));
    if (!deployment) throw new Error('no deployment');
    const object = { ...deployment, spec: { ...deployment.spec, replicas: 1 } };
    const change = { resource: kinds.machineDeployment, type: 'updated', object } as never;
    const { clusters } = await preview({ reads: world.objects, now: world.clock.now() }, [change]);
    const removed = clusters.flatMap(({ owners }) => owners.flatMap((owner) => JSON.stringify(owner)));
    expect(removed.join()).toContain('"instance":"workers-');
  });

  it('can be deleted even if its provider is missing', async () => {
    const [own] = clusterObjects();
    if (!own) throw new Error('no cluster');
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'OpenStackCluster', name: 'blue' };
    const metadata = { namespace: 'default', name: 'blue', finalizers: ['cluster.cluster.x-k8s.io'] };
    await world.apply({ ...own, metadata, spec: { infrastructureRef } } as KubeObject);
    await world.objects.delete(kinds.cluster, key('blue'));
    expect(await world.objects.get(kinds.cluster, key('blue'))).toBeDefined();
    const isGone = async () => {
      await world.touch('blue');
      return (await world.objects.get(kinds.cluster, key('blue'))) === undefined;
    };
    await until('the end of the other cluster', isGone);
  });

  it('is rolled to another template', async () => {
    await world.apply(plainTemplate('large', 'l'));
    await world.objects.mutate(kinds.machineDeployment, key('workers'), (current) => {
      const { template } = current.spec;
      const infrastructureRef = { ...template.spec.infrastructureRef, name: 'large' };
      return {
        ...current,
        spec: { ...current.spec, template: { ...template, spec: { ...template.spec, infrastructureRef } } },
      };
    });
    const isLarge = async () => {
      const all = await world.objects.listOfCluster(plainMachine, 'default', 'red');
      return all.filter(({ spec }) => spec.size === 'l').length === 3 && (await isSettled(6)());
    };
    await until('three large workers', isLarge);
    expect(outside.rack.instances.size).toBe(6);
  });

  it('is upgraded', async () => {
    await world.objects.mutate(kinds.kubeadmControlPlane, key('red'), (current) => ({
      ...current,
      spec: { ...current.spec, version: 'v1.35.0' },
    }));
    await world.objects.mutate(kinds.machineDeployment, key('workers'), (current) => {
      const { template } = current.spec;
      return {
        ...current,
        spec: { ...current.spec, template: { ...template, spec: { ...template.spec, version: 'v1.35.0' } } },
      };
    });
    await until('six machines of the new version', isSettled(6, 'v1.35.0'));
    expect(outside.workload.abandoned).toEqual([]);
  });

  it('replaces a machine whose instance the sweep finds lost', async () => {
    expect(await world.sweep()).toMatchObject({ considered: 6, found: 0, troubled: 0 });
    const [lost] = await workers();
    if (!lost) throw new Error('no worker');
    loseInstance(outside, lost.spec.infrastructureRef.name);
    const { found, touched } = await world.sweep();
    expect(found).toBe(1);
    expect(touched).toBeGreaterThan(0);
    const isReplaced = async () => {
      const all = await workers();
      return (
        all.length === 3 &&
        all.every(({ metadata, status }) => metadata.name !== lost.metadata.name && status?.phase === 'Running')
      );
    };
    await until('another worker', isReplaced);
    expect(outside.rack.instances.size).toBe(6);
  });

  it('moves to another installation, where nothing is recreated', async () => {
    await world.objects.mutate(kinds.cluster, key('red'), (current) => ({
      ...current,
      spec: { ...current.spec, paused: true },
    }));
    await world.stop();
    const made = outside.rack.made.length;
    world = await movedFrom(world);
    await until('the same machines', async () => (await machines()).every(({ status }) => status?.phase === 'Running'));
    expect(await machines()).toHaveLength(6);
    expect(outside.rack.made).toHaveLength(made);
  });

  it('is deleted, and leaves nothing', async () => {
    await world.objects.delete(kinds.cluster, key('red'));
    await until('its end', async () => (await world.cluster()) === undefined);
    expect(outside.rack.instances.size).toBe(0);
    expect(await world.objects.listOfCluster(plainMachine, 'default', 'red')).toEqual([]);
  });
});

const MOVED = [
  kinds.cluster,
  kinds.kubeadmControlPlane,
  kinds.machineDeployment,
  kinds.machineSet,
  kinds.machine,
  kinds.kubeadmConfig,
  kinds.kubeadmConfigTemplate,
  kinds.secret,
] as const;

/**
 * Moves the objects as clusterctl does: owners first, with references by the new uids, and without status; then the
 * cluster continues.
 */
const movedFrom = async (from: World): Promise<World> => {
  const { PLAIN_KINDS } = await import('./kinds.ts');
  const to = await makeWorld(database, outside);
  const uids = new Map<string, string>();
  for (const kind of [
    MOVED[0],
    ...PLAIN_KINDS.slice(0, 1),
    PLAIN_KINDS[2],
    ...MOVED.slice(1, 5),
    PLAIN_KINDS[1],
    ...MOVED.slice(5),
  ]) {
    for (const object of await from.objects.list(kind as never, 'default')) {
      const { status: _, ...rest } = object as KubeObject & { status?: unknown };
      const { uid = '', resourceVersion: __, managedFields: ___, ...metadata } = rest.metadata;
      const ownerReferences = metadata.ownerReferences?.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? '' }));
      const copy = { ...rest, metadata: { ...metadata, ...(ownerReferences ? { ownerReferences } : {}) } };
      const created = await to.apply(copy as KubeObject);
      uids.set(uid, created.metadata.uid ?? '');
    }
  }
  await to.objects.mutate(kinds.cluster, key('red'), (current) => ({
    ...current,
    spec: { ...(current as Cluster).spec, paused: false },
  }));
  return to;
};
