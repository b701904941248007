import { expect, it } from 'vitest';
import {
  type Cluster,
  type KubeadmControlPlane,
  kinds,
  type MachineDeployment,
  type MachineSet,
} from '../../../../shared/kinds/index.ts';
import { labelValueOf } from '../../../../shared/kinds/rules/names.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, makeWorld, pass, quickstart } from '../test-world.ts';

const database = useTestDatabase();

const KEY = { namespace: 'default', name: 'quickstart-control-plane' };

/** The quickstart, whose control plane has a naming template for its machines. */
const named = async (template: string) =>
  (await quickstart()).map((object) => {
    if (object.kind !== 'KubeadmControlPlane') return object;
    const { spec } = object as KubeadmControlPlane;
    return { ...object, spec: { ...spec, machineNaming: { template } } };
  });

it('names the machines of a control plane by its template, and replaces none when the template changes', async () => {
  const w = await makeWorld(database());
  const input = await beginCluster(w, await named('{{ .cluster.name }}-first-{{ .random }}'));
  await pass(w, input);
  const namesOf = async () => {
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    const ours = machines.filter(({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}));
    return ours.map(({ metadata }) => metadata.name);
  };
  const names = await namesOf();
  expect(names).toEqual(Array(3).fill(expect.stringMatching(/^quickstart-first-[a-z0-9]{5}$/)));
  const machines = await w.objects.listOfCluster(kinds.awsMachine, 'default', 'quickstart');
  expect(machines.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(names));

  await w.objects.mutate(kinds.kubeadmControlPlane, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, replicas: 5, machineNaming: { template: 'later-{{ .random }}' } },
  }));
  await pass(w, input);
  const added = (await namesOf()).filter((name) => !names.includes(name));
  expect(added).toEqual(Array(2).fill(expect.stringMatching(/^later-[a-z0-9]{5}$/)));
  const owner = await w.objects.get(kinds.kubeadmControlPlane, KEY);
  expect(owner?.status).toMatchObject({ replicas: 5, upToDateReplicas: 5 });
});

it('creates no machine, and reports why, if the template fails for this control plane', async () => {
  const w = await makeWorld(database());
  const template = '{{ if eq .cluster.name "cluster" }}a{{ else }}{{ .cluster.uid }}{{ end }}-{{ .random }}';
  await pass(w, await beginCluster(w, await named(template)));
  const owner = await w.objects.get(kinds.kubeadmControlPlane, KEY);
  expect(owner?.status?.replicas).toBe(0);
  expect(conditionOf(owner, 'ScalingUp')?.message).toMatch(
    /failed to generate Machine name: rendering template: .*uid/,
  );
});

it('creates the machines of owners whose names are too long for a label, which gets a hash', async () => {
  const w = await makeWorld(database());
  const long = { set: 's'.repeat(64), controlPlane: 'c'.repeat(64) };
  const objects = (await quickstart()).map((object) => {
    if (object.kind === 'Cluster') {
      const { spec } = object as Cluster;
      return { ...object, spec: { ...spec, controlPlaneRef: { ...spec.controlPlaneRef, name: long.controlPlane } } };
    }
    if (object.kind !== 'KubeadmControlPlane') return object;
    return { ...object, metadata: { ...object.metadata, name: long.controlPlane } };
  });
  const { apiVersion, spec } = objects.find(({ kind }) => kind === 'MachineDeployment') as MachineDeployment;
  const { clusterName, template } = spec;
  const set: MachineSet = {
    ...{ apiVersion, kind: 'MachineSet', metadata: { namespace: 'default', name: long.set } },
    spec: { clusterName, replicas: 1, selector: {}, template: { ...template, metadata: {} } },
  };
  await pass(w, await beginCluster(w, [...objects, set]));

  const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const labelled = (label: string, name: string) =>
    machines.filter(({ metadata }) => metadata.labels?.[label] === labelValueOf(name));
  expect(labelled('cluster.x-k8s.io/set-name', long.set)).toHaveLength(1);
  expect(labelled('cluster.x-k8s.io/control-plane-name', long.controlPlane)).toHaveLength(3);
});
