import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type MachineDeployment, type MachineSet } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();

const HASH = 'machine-template-hash';
const LABELS = { 'cluster.x-k8s.io/cluster-name': 'quickstart', pool: 'web' };

describe('the sets that a deployment owns', () => {
  let w: World;
  let input: ConvergeInput;

  const setsOf = async (prefix: string): Promise<MachineSet[]> =>
    (await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart')).filter(({ metadata }) =>
      metadata.name.startsWith(prefix),
    );
  const machinesOf = async (prefix: string): Promise<string[]> =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart'))
      .filter(({ metadata }) => metadata.name.startsWith(prefix) && !metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name);
  const passes = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await pass(w, input);
  };
  const apply = (kind: string, spec: object): Promise<KubeObject> =>
    w.apply({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind,
      metadata: { name: 'web', namespace: 'default', ...(kind === 'MachineSet' ? { labels: LABELS } : {}) },
      spec: { clusterName: 'quickstart', replicas: 2, selector: { matchLabels: LABELS }, ...spec },
    } as KubeObject);

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await passes(1);
  });

  it('keep their machines if they lose the label of the hash, and get the label back', async () => {
    const before = await machinesOf('quickstart-md-0');
    const [set] = await setsOf('quickstart-md-0');
    const key = { namespace: 'default', name: set?.metadata.name ?? '' };
    const { [HASH]: hash, ...labels } = set?.metadata.labels ?? {};
    await w.objects.mutate(kinds.machineSet, key, (now) => ({ ...now, metadata: { ...now.metadata, labels } }));
    await passes(2);

    expect(hash).toBeDefined();
    expect(before.length).toBeGreaterThan(0);
    expect(await machinesOf('quickstart-md-0')).toEqual(before);
    const [after] = await setsOf('quickstart-md-0');
    expect(after?.spec).toEqual(set?.spec);
    expect(after?.metadata.labels).toEqual(set?.metadata.labels);
  });

  it('keep their machines if a user created them, and are replaced in a rollout', async () => {
    const [{ spec } = {} as MachineSet] = await setsOf('quickstart-md-0');
    const template = { metadata: { labels: LABELS }, spec: spec.template.spec };
    await apply('MachineSet', { template });
    await passes(2);
    const before = await machinesOf('web');
    await apply('MachineDeployment', {
      template: { metadata: { labels: { ...LABELS, tier: 'front' } }, spec: template.spec },
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } } },
    });
    await passes(3);

    expect(before).toHaveLength(2);
    expect(await machinesOf('web')).toEqual(before);
    const [adopted] = await setsOf('web');
    expect(adopted?.spec.selector).toEqual({ matchLabels: LABELS });
    expect(adopted?.metadata.labels).not.toHaveProperty(HASH);
    expect(adopted?.spec.template.metadata?.labels).toMatchObject({ pool: 'web', tier: 'front' });

    await w.objects.mutate(kinds.machineDeployment, { namespace: 'default', name: 'web' }, failingOver);
    await passes(3);

    const [old, created] = (await setsOf('web')).toSorted((a, b) => a.metadata.name.length - b.metadata.name.length);
    expect(old?.spec.replicas).toBe(0);
    expect(old?.spec.selector).toEqual({ matchLabels: LABELS });
    expect(created?.spec.replicas).toBe(2);
    expect(created?.spec.selector?.matchLabels?.[HASH]).toBe(created?.metadata.labels?.[HASH]);
    expect(created?.metadata.labels?.[HASH]).toMatch(/./);
  });
});

const failingOver = (deployment: MachineDeployment): MachineDeployment => {
  const { template } = deployment.spec;
  const spec = { ...template.spec, failureDomain: 'b' };
  return { ...deployment, spec: { ...deployment.spec, template: { ...template, spec } } };
};
