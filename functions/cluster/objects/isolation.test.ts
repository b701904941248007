import { beforeEach, describe, expect, it } from 'vitest';
import { type KubeadmControlPlane, kinds, type MachineDeployment } from '../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { useTestDatabase } from '../test-database.ts';
import { beginCluster, conditionOf, context, makeWorld, type World } from './test-world.ts';

const database = useTestDatabase();

const KEY = { namespace: 'default', name: 'quickstart-md-0' };

describe('an object that cannot be reconciled', () => {
  let w: World;
  let input: ConvergeInput;
  /** The objects that cannot be written. */
  let isBroken: (object: KubeObject) => boolean;

  const refusing = (storage: Storage): Storage => {
    const check = (object: KubeObject): void => {
      if (isBroken(object)) throw new Error(`${object.kind} is broken`);
    };
    return {
      ...storage,
      create: async (resource, object, ...rest) => {
        check(object);
        return storage.create(resource, object, ...rest);
      },
      update: async (resource, object, ...rest) => {
        check(object);
        return storage.update(resource, object, ...rest);
      },
    };
  };

  const machinesOf = async (deployment: string): Promise<string[]> =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart'))
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith(deployment));

  const addDeployment = async (name: string): Promise<void> => {
    const like = await w.objects.get(kinds.machineDeployment, KEY);
    const labels = { 'cluster.x-k8s.io/deployment-name': name };
    const template = { metadata: { labels }, spec: like?.spec.template.spec };
    await w.apply({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { namespace: 'default', name },
      spec: { clusterName: 'quickstart', replicas: 1, selector: { matchLabels: labels }, template },
    } as KubeObject);
  };

  beforeEach(async () => {
    isBroken = () => false;
    w = await makeWorld(database(), refusing);
    input = await beginCluster(w);
    await w.steps.machines(input, context);
    await w.steps.report(input, context);
    const scaled = (now: MachineDeployment) => ({ ...now, spec: { ...now.spec, replicas: 4 } });
    await w.objects.mutate(kinds.machineDeployment, KEY, scaled);
  });

  it.each(['a-broken', 'z-broken'])('if it is the MachineDeployment %s, does not block others', async (name) => {
    await addDeployment(name);
    isBroken = ({ kind, metadata }) => kind === 'MachineDeployment' && metadata.name === name;

    await expect(w.steps.machines(input, context)).rejects.toThrow('MachineDeployment is broken');
    const machines = await machinesOf(KEY.name);
    expect([machines.length, await machinesOf(name)]).toEqual([4, []]);
    expect(w.started.provision.map((machine) => machine.name)).toEqual(expect.arrayContaining(machines));

    await expect(w.steps.report(input, context)).rejects.toThrow('MachineDeployment is broken');
    expect((await w.objects.get(kinds.machineDeployment, KEY))?.status?.replicas).toBe(4);
    const cluster = await w.objects.get(kinds.cluster, input.cluster);
    expect(cluster?.status?.workers).toMatchObject({ replicas: 4 });
  });

  it('if it is a MachineSet, does not block others', async () => {
    await addDeployment('a-broken');
    isBroken = ({ kind, metadata }) => kind === 'Machine' && metadata.name.startsWith('a-broken');

    await expect(w.steps.machines(input, context)).rejects.toThrow('Machine is broken');
    expect(await machinesOf(KEY.name)).toHaveLength(4);
  });

  it('if it is the control plane, does not block the workers', async () => {
    const [owner] = await w.objects.list(kinds.kubeadmControlPlane, 'default');
    await w.objects.mutate(kinds.kubeadmControlPlane, owner as KubeadmControlPlane, (now) => ({
      ...now,
      spec: { ...now.spec, replicas: 5 },
    }));
    isBroken = ({ kind, metadata }) => kind === 'Machine' && metadata.name.startsWith('quickstart-control-plane');

    await expect(w.steps.machines(input, context)).rejects.toThrow('Machine is broken');
    expect(await machinesOf(KEY.name)).toHaveLength(4);
  });

  it.each(['AWSMachine', 'KubeadmConfig'])(
    'such as one %s does not keep others from being reported as paused',
    async (kind) => {
      const paused = { type: 'Paused', status: 'False', reason: 'NotPaused', message: 'x' };
      for (const resource of [kinds.awsMachine, kinds.kubeadmConfig] as never as ResourceDefinition[])
        for (const object of await w.objects.list(resource, 'default'))
          await w.objects.mutate(resource, keyOf(object), (now) => ({
            ...now,
            status: { conditions: [{ ...paused, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
          }));
      const [first] = await machinesOf(KEY.name);
      isBroken = (object) => object.kind === kind && object.metadata.name === first;
      await w.objects.mutate(kinds.cluster, input.cluster, (now) => ({ ...now, spec: { ...now.spec, paused: true } }));

      await expect(w.steps.report(input, context)).rejects.toThrow(`${kind} is broken`);
      expect(conditionOf(await w.objects.get(kinds.cluster, input.cluster), 'Paused')?.status).toBe('True');
      const found = await w.objects.list<KubeObject>(
        kind === 'AWSMachine' ? kinds.awsMachine : (kinds.kubeadmConfig as never),
        'default',
      );
      const unpaused = found.filter((object) => conditionOf(object as never, 'Paused')?.status !== 'True');
      expect(unpaused.map(({ metadata }) => metadata.name)).toEqual([first]);
    },
  );

  it('is reported when the pass ends, and retried', async () => {
    const failure = { Error: 'Error', Cause: JSON.stringify({ errorMessage: 'it is broken' }) };
    const end = await w.steps.concludeAfterFailure({ ...input, failure }, context);

    expect(end.waitSeconds).toBeGreaterThan(0);
    const events = await w.objects.list(kinds.event, 'default');
    expect(events.find(({ reason }) => reason === 'ReconcileFailed')?.message).toContain('it is broken');
    expect(conditionOf(await w.objects.get(kinds.cluster, input.cluster), 'Available')).toBeDefined();
  });
});
