/** Names that a pass would give to new objects and that belong to objects of another cluster in the same namespace. */
import { beforeEach, expect, it } from 'vitest';
import {
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineSet,
} from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { freeNames } from '../../../../shared/plan/names.ts';
import { newSet } from '../../../../shared/plan/rollout/desired-set.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();
const NAMESPACE = 'default';
const LABEL = 'cluster.x-k8s.io/cluster-name';

let w: World;
let input: ConvergeInput;
beforeEach(async () => {
  w = await makeWorld(database());
  input = await beginCluster(w);
});

/** A Machine of the cluster `other` without its objects. */
const addOthersMachine = (name: string) =>
  w.apply({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { namespace: NAMESPACE, name, labels: { [LABEL]: 'other' } },
    spec: {
      clusterName: 'other',
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
    },
  } as Machine);

const first = <T extends KubeObject>([object]: readonly T[]): T => {
  if (!object) throw new Error('there is none');
  return object;
};
const namesBy = async (label: string): Promise<string[]> =>
  (await w.objects.listOfCluster(kinds.machine, NAMESPACE, 'quickstart'))
    .filter(({ metadata }) => label in (metadata.labels ?? {}))
    .map(({ metadata }) => metadata.name)
    .toSorted();
const placesOf = ({ metadata: { name, uid = '' } }: KubeObject, count: number) =>
  freeNames({ name, uid }, new Set(), count);
/** The parts of the others' machine, which only they may create. */
const partsOf = (name: string) =>
  Promise.all(
    [kinds.awsMachine, kinds.kubeadmConfig].map((kind) =>
      w.objects.get(kind as typeof kinds.awsMachine, { namespace: NAMESPACE, name }),
    ),
  );

it('a control plane takes the next name, and leaves the Machine of the other cluster alone', async () => {
  const owner = first(await w.objects.list(kinds.kubeadmControlPlane, NAMESPACE)) as KubeadmControlPlane;
  const [taken = '', ...others] = placesOf(owner, 4);
  const before = await addOthersMachine(taken);

  for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
  expect(await namesBy('cluster.x-k8s.io/control-plane')).toEqual(others.toSorted());
  expect(await partsOf(taken)).toEqual([undefined, undefined]);
  expect(await w.objects.get(kinds.machine, { namespace: NAMESPACE, name: taken })).toEqual(before);
});

it('a set takes the next names, in every pass the same', async () => {
  const deployment = first(await w.objects.list(kinds.machineDeployment, NAMESPACE)) as MachineDeployment;
  const { template } = deployment.spec;
  const matchLabels = { of: 'set' };
  const set = await w.apply({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { namespace: NAMESPACE, name: 'set', labels: { [LABEL]: 'quickstart' } },
    spec: {
      clusterName: 'quickstart',
      replicas: 2,
      selector: { matchLabels },
      template: { ...template, metadata: { labels: matchLabels } },
    },
  } as MachineSet);
  const [one = '', two = '', ...others] = placesOf(set, 4);
  for (const name of [one, two]) await addOthersMachine(name);

  for (let passes = 0; passes < 3; passes += 1) await pass(w, input);
  expect(await namesBy('of')).toEqual(others.toSorted());
  expect([...(await partsOf(one)), ...(await partsOf(two))]).toEqual(Array(4).fill(undefined));
});

it('a deployment creates its set with the next name, and no machine of the other set', async () => {
  const deployment = first(await w.objects.list(kinds.machineDeployment, NAMESPACE)) as MachineDeployment;
  const planned = newSet(deployment, 1, w.clock.now());
  const { spec, metadata } = planned;
  const template = { ...spec.template, spec: { ...spec.template.spec, clusterName: 'other' } };
  await w.apply({
    ...planned,
    metadata: { ...metadata, labels: { [LABEL]: 'other' }, ownerReferences: [] },
    spec: { ...spec, replicas: 3, clusterName: 'other', template },
  } as MachineSet);

  for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
  const sets = await w.objects.listOfCluster(kinds.machineSet, NAMESPACE, 'quickstart');
  expect(sets.map((set) => set.metadata.name)).toEqual([newSet(deployment, 1, w.clock.now(), 1).metadata.name]);
  expect(await w.objects.listOfCluster(kinds.machine, NAMESPACE, 'other')).toEqual([]);
  expect(await namesBy('cluster.x-k8s.io/deployment-name')).toHaveLength(deployment.spec.replicas ?? 1);
});
