import { beforeEach, describe, expect, it } from 'vitest';
import { kubeadm } from '../../../../shared/distributions/kubeadm/distribution.ts';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { infrastructureOf } from '../../../../shared/providers/registry.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass, type World } from '../test-world.ts';
import { completeMachine } from './complete-machine.ts';

const database = useTestDatabase();

const clean = ({ metadata: { uid: _, resourceVersion: __, ...metadata }, ...rest }: KubeObject) =>
  ({ ...rest, metadata }) as never;

describe('the parts of a machine', () => {
  let w: World;
  let machine: Machine;
  const at = () => ({ namespace: 'default', name: machine.metadata.name });
  const remove = async (resource: ResourceDefinition) => {
    await w.objects.mutate(resource, at(), ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({
      ...rest,
      metadata,
    }));
    await w.objects.delete(resource, at());
  };
  const present = async () => [
    await w.objects.get(kinds.awsMachine, at()),
    await w.objects.get(kinds.kubeadmConfig, at()),
  ];
  /** Creates the parts as a function would that had read the objects before they were removed. */
  const createLate = async (removed: readonly ResourceDefinition[]) => {
    const [infrastructure, config] = await present();
    const provider = infrastructureOf('machine', machine.spec.infrastructureRef);
    if (!infrastructure || !config || !provider) throw new Error('the machine is not complete');
    for (const resource of removed) await remove(resource);
    await completeMachine(w.objects, machine, {
      config: { distribution: kubeadm, object: clean(config) },
      infrastructure: { provider, object: clean(infrastructure) },
    });
  };

  beforeEach(async () => {
    w = await makeWorld(database());
    await pass(w, await beginCluster(w));
    const [first] = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    machine = first as Machine;
  });

  it('are re-created while the Machine exists', async () => {
    await createLate([kinds.awsMachine, kinds.kubeadmConfig] as never);
    expect(await present()).toEqual([expect.anything(), expect.anything()]);
  });

  it('are deleted if they were created after the Machine was removed', async () => {
    await createLate([kinds.awsMachine, kinds.kubeadmConfig, kinds.machine] as never);
    expect(await present()).toEqual([undefined, undefined]);
  });

  it('are not deleted if they existed before the Machine', async () => {
    await createLate([kinds.awsMachine, kinds.machine] as never);
    expect(await present()).toEqual([undefined, expect.anything()]);
  });
});
