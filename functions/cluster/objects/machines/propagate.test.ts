import { beforeEach, describe, expect, it } from 'vitest';
import { type KubeadmControlPlane, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();

const OWNER = { namespace: 'default', name: 'quickstart-control-plane' };
const REMEDIATION = 'controlplane.cluster.x-k8s.io/remediation-for';
const GATE = { conditionType: 'example.com/Ready' };
const TAINT = { key: 'example.com/slow', effect: 'NoSchedule', propagation: 'Always' };

type MachineTemplate = KubeadmControlPlane['spec']['machineTemplate'];

describe('a change of the machine template of a control plane that needs no rollout', () => {
  let w: World;
  let input: ConvergeInput;

  const machines = async (): Promise<Machine[]> =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(
      ({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}),
    );
  const keyOf = ({ metadata }: KubeObject) => ({ namespace: 'default', name: metadata.name });
  /** A machine with its infrastructure and its configuration. */
  const trio = async (machine: Machine): Promise<KubeObject[]> => {
    const all = await Promise.all([
      w.objects.get(kinds.machine, keyOf(machine)),
      w.objects.get(kinds.awsMachine, keyOf(machine)),
      w.objects.get(kinds.kubeadmConfig, keyOf(machine)),
    ]);
    return all.flatMap((object) => object ?? []);
  };
  const change = async (edit: (template: MachineTemplate) => MachineTemplate): Promise<void> => {
    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, machineTemplate: edit(spec.machineTemplate) },
    }));
    await pass(w, input);
  };
  const relabel = (metadata: MachineTemplate['metadata']) => change((template) => ({ ...template, metadata }) as never);

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
  });

  it('reaches the labels and annotations of machines, their infrastructure and their configurations', async () => {
    const [first, ...others] = await machines();
    await relabel({ labels: { tier: 'gold' }, annotations: { 'example.com/team': 'blue' } });

    expect(others).toHaveLength(2);
    const objects = (await Promise.all([first as Machine, ...others].map(trio))).flat();
    expect(objects).toHaveLength(9);
    for (const { metadata } of objects) {
      expect(metadata.labels).toMatchObject({ tier: 'gold', 'cluster.x-k8s.io/control-plane': '' });
      expect(metadata.annotations).toMatchObject({ 'example.com/team': 'blue' });
    }
    expect((await machines()).map(({ metadata }) => metadata.name).sort()).toEqual(
      [first as Machine, ...others].map(({ metadata }) => metadata.name).sort(),
    );
  });

  it('removes what the template no longer has, but nothing that others added', async () => {
    const [machine] = (await machines()) as [Machine];
    await relabel({ labels: { tier: 'gold' } });
    await w.objects.mutate(kinds.machine, keyOf(machine), ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [REMEDIATION]: '{}' } },
    }));
    await relabel({ labels: { shape: 'round' } });

    for (const { metadata } of await trio(machine)) {
      expect(metadata.labels).toMatchObject({ shape: 'round' });
      expect(metadata.labels).not.toHaveProperty('tier');
    }
    const [kept] = (await machines()).filter(({ metadata }) => metadata.name === machine.metadata.name);
    expect(kept?.metadata.annotations).toHaveProperty([REMEDIATION]);
  });

  it('reaches readiness gates, taints and timeouts', async () => {
    await change((template) => ({
      ...template,
      spec: {
        ...template.spec,
        ...{ readinessGates: [GATE], taints: [TAINT], deletion: { nodeDrainTimeoutSeconds: 60 } },
      } as never,
    }));

    for (const { spec } of await machines()) {
      expect(spec.readinessGates).toContainEqual(GATE);
      expect(spec.readinessGates).toContainEqual({ conditionType: 'EtcdMemberHealthy' });
      expect(spec.taints).toEqual([TAINT]);
      expect(spec.deletion).toMatchObject({ nodeDrainTimeoutSeconds: 60, nodeDeletionTimeoutSeconds: 10 });
    }
  });

  it('reaches only the fields of a machine that is being deleted', async () => {
    const [machine] = (await machines()) as [Machine];
    await w.objects.delete(kinds.machine, machine);
    await change((template) => ({
      ...template,
      metadata: { labels: { tier: 'gold' } },
      spec: { ...template.spec, deletion: { nodeDrainTimeoutSeconds: 1 } },
    }));

    const left = await w.objects.get(kinds.machine, keyOf(machine));
    expect(left?.spec.deletion).toMatchObject({ nodeDrainTimeoutSeconds: 1 });
    expect(left?.metadata.labels).not.toHaveProperty('tier');
  });

  it('writes nothing if nothing has changed', async () => {
    await relabel({ labels: { tier: 'gold' } });
    const versions = async () => (await machines()).map(({ metadata }) => metadata.resourceVersion);
    const before = await versions();
    await pass(w, input);
    expect(await versions()).toEqual(before);
  });
});
