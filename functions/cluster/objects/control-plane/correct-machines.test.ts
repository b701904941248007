import { describe, expect, it } from 'vitest';
import { type KubeadmControlPlane, kinds } from '../../../../shared/kinds/index.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, pass } from '../test-world.ts';

const database = useTestDatabase();

const key = (name: string) => ({ namespace: 'default', name });
const FILES = [{ path: '/etc/corrected', content: 'x' }];

describe('a control plane that is corrected before it has started', () => {
  it('gives its machines the current settings, except those being launched, and except settings shared with these', async () => {
    const w = await makeWorld(database());
    const input = await beginCluster(w);
    await pass(w, input);
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    const [launched = '', ...waiting] = machines
      .filter(({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}))
      .map(({ metadata }) => metadata.name);
    await w.objects.mutate(kinds.awsMachine, key(launched), (m) => ({
      ...m,
      metadata: {
        ...m.metadata,
        annotations: { ...m.metadata.annotations, 'windlass.dev/launch': '{"at":"2026-01-01T00:00:00Z"}' },
      },
    }));
    await w.objects.mutate(kinds.kubeadmControlPlane, key('quickstart-control-plane'), (owner) => ({
      ...owner,
      spec: {
        ...owner.spec,
        version: 'v1.34.9',
        kubeadmConfigSpec: {
          ...owner.spec.kubeadmConfigSpec,
          files: FILES,
          clusterConfiguration: {
            ...owner.spec.kubeadmConfigSpec?.clusterConfiguration,
            imageRepository: 'example.com',
          },
        } as KubeadmControlPlane['spec']['kubeadmConfigSpec'],
      },
    }));
    await w.steps.controlPlane(input, context);

    const seen = async (name: string) => {
      const spec = (await w.objects.get(kinds.kubeadmConfig, key(name)))?.spec;
      const { version } = (await w.objects.get(kinds.machine, key(name)))?.spec ?? {};
      return { version, files: spec?.files, repository: spec?.clusterConfiguration?.imageRepository };
    };
    expect(waiting).toHaveLength(2);
    for (const name of waiting) expect(await seen(name)).toEqual({ version: 'v1.34.0', files: FILES });
    expect(await seen(launched)).toEqual({ version: 'v1.34.0' });

    await w.objects.mutate(kinds.kubeadmControlPlane, key('quickstart-control-plane'), (owner) => ({
      ...owner,
      spec: { ...owner.spec, replicas: 5 },
    }));
    await w.steps.controlPlane(input, context);
    const all = (await w.objects.listOfCluster(kinds.kubeadmConfig, 'default', 'quickstart')).map(
      ({ metadata }) => metadata.name,
    );
    const added = all.filter((name) => name.includes('control-plane') && ![launched, ...waiting].includes(name));
    expect(added).toHaveLength(2);
    for (const name of added) expect(await seen(name)).toEqual({ version: 'v1.34.0', files: FILES });

    await w.objects.mutate(kinds.awsMachine, key(launched), (m) => ({
      ...m,
      metadata: { ...m.metadata, annotations: {} },
    }));
    await w.steps.controlPlane(input, context);
    const corrected = { version: 'v1.34.9', files: FILES, repository: 'example.com' };
    for (const name of [launched, ...waiting]) expect(await seen(name)).toEqual(corrected);
  });
});
