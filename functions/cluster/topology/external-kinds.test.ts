/** A class whose infrastructure belongs to an external provider, described by CustomResourceDefinitions. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Topology } from '../../../shared/kinds/cluster/schema.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { CRDS } from '../../api/custom/test-widgets.ts';
import { preview } from '../../preview/preview.ts';
import {
  definition,
  GROUP,
  makeOutsideWorld,
  type OutsideWorld,
  object,
  PATH,
} from '../objects/references/test-outside.ts';
import { context } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { withVariable } from './test-topology.ts';

const database = useTestDatabase();

type Made = KubeObject & { spec: { instanceType?: string; size?: string; region?: string } };

/** The objects of the example, with the kinds of this provider instead of those of AWS. */
const exampleOf = async (): Promise<KubeObject[]> =>
  parseAllDocuments(await readFile('examples/clusterclass.yaml', 'utf8')).map((document) => {
    const text = JSON.stringify(document.toJS());
    const found = JSON.parse(
      text.replaceAll(/"apiVersion":"infrastructure\.[^"]*","kind":"AWS/g, `"apiVersion":"${GROUP}/v2","kind":"Rack`),
    ) as KubeObject;
    return { ...found, metadata: { ...found.metadata, namespace: 'default' } };
  });

const MANAGED = { namespace: 'default', name: 'managed' };

let world: OutsideWorld;
const cluster = async (): Promise<Cluster> => (await world.objects.get(kinds.cluster, MANAGED)) as Cluster;
const begin = async () => world.steps.begin(world.inputOf(await cluster(), 1), context);
const condition = async () =>
  (await cluster()).status?.conditions?.find(({ type }) => type === 'TopologyReconciled')?.message;
const listed = async (plural: string): Promise<Made[]> => {
  const { items } = (await world.api.ask('GET', `${PATH}/${plural}`)).body as unknown as { items: Made[] };
  return items.filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'] === 'managed');
};

const createExample = async (change: (object: KubeObject) => KubeObject = (one) => one): Promise<void> => {
  for (const one of (await exampleOf()).map(change)) {
    if (one.kind.startsWith('Rack')) await world.create(one);
    else await world.apply(one);
  }
};

beforeEach(async () => {
  world = await makeOutsideWorld(database());
});

it('gives the cluster objects of its kinds, and writes nothing in the next pass', async () => {
  await createExample();
  await begin();
  expect(await condition()).toBe('');
  const [infrastructure] = await listed('rackclusters');
  expect((await cluster()).spec.infrastructureRef).toEqual({
    ...{ apiGroup: GROUP, kind: 'RackCluster', name: infrastructure?.metadata.name },
  });
  // One value is from the class's patch, the other from the definition's default.
  expect(infrastructure?.spec).toMatchObject({ region: 'us-east-1', size: 'small' });
  expect(infrastructure?.metadata.annotations).toMatchObject({
    'cluster.x-k8s.io/cloned-from-groupkind': `RackClusterTemplate.${GROUP}`,
  });
  const templates = await listed('rackmachinetemplates');
  expect(templates).toHaveLength(2);
  const [deployment] = await world.objects.listOfCluster(kinds.machineDeployment, 'default', 'managed');
  expect(templates.map(({ metadata }) => metadata.name)).toContain(
    deployment?.spec.template.spec.infrastructureRef.name,
  );

  const versions = async () =>
    [...(await listed('rackclusters')), ...(await listed('rackmachinetemplates')), await cluster()].map(
      ({ metadata }) => metadata.resourceVersion,
    );
  const before = await versions();
  await begin();
  expect(await versions()).toEqual(before);
});

it('replaces a template of the cluster after its class has changed', async () => {
  await createExample();
  await begin();
  const change = withVariable('workerInstanceType', 'large');
  await world.objects.mutate(kinds.cluster, MANAGED, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, topology: change(spec.topology as Topology) },
  }));
  await begin();
  const [deployment] = await world.objects.listOfCluster(kinds.machineDeployment, 'default', 'managed');
  const name = deployment?.spec.template.spec.infrastructureRef.name;
  const found = (await listed('rackmachinetemplates')).find(({ metadata }) => metadata.name === name);
  expect(found?.spec).toMatchObject({ template: { spec: { instanceType: 'large' } } });
});

it('shows the effects of a changed variable in a plan', async () => {
  await createExample();
  await begin();
  const { metadata, spec, ...rest } = await cluster();
  const topology = withVariable('workerInstanceType', 'large')(spec.topology as Topology);
  const object = { ...rest, metadata, spec: { ...spec, topology } };
  const reads = { ...world.objects, contractKinds: world.contractKinds };
  const change = { resource: kinds.cluster as ResourceDefinition, type: 'updated' as const, object };
  const { clusters } = await preview({ reads, now: world.clock.now() }, [change]);
  expect(JSON.stringify(clusters)).toContain('creates RackMachineTemplate');
});

it('allows a new version of a cluster as soon as a control plane of another provider has the previous one', async () => {
  await createExample();
  await begin();
  await world.create(object('RackControlPlane', 'managed', { version: 'v1.34.0' }));
  const controlPlaneRef = { apiGroup: GROUP, kind: 'RackControlPlane', name: 'managed' };
  await world.objects.mutate(kinds.cluster, MANAGED, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, controlPlaneRef },
  }));
  const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/managed';
  const upgrade = () => world.api.ask('PATCH', path, { spec: { topology: { version: 'v1.35.0' } } });

  expect((await upgrade()).body.message).toContain('control plane is currently provisioning');
  await world.setStatus('rackcontrolplanes', 'managed', { status: { version: 'v1.34.0' } });
  expect((await upgrade()).code).toBe(200);
});

it('requests a pass when a template of its class changes', async () => {
  await createExample();
  await begin();
  world.touched.length = 0;
  const path = `${PATH}/rackclustertemplates/aws-small`;
  const body = { spec: { template: { spec: { racks: 2 } } } };
  expect((await world.api.ask('PATCH', path, body)).code).toBe(200);
  expect(world.touched.map(({ name }) => name)).toEqual(['managed']);
  await begin();
  expect((await listed('rackclusters'))[0]?.spec).toMatchObject({ racks: 2 });
});

it.each([
  ['no definition', undefined],
  ['a definition without the label of a contract', {}],
])('reports a kind with %s', async (_, labels) => {
  if (labels) expect((await world.api.ask('POST', CRDS, definition('ShelfTemplate', labels))).code).toBe(201);
  const text = (one: KubeObject) =>
    JSON.stringify(one).replaceAll('"kind":"RackClusterTemplate"', '"kind":"ShelfTemplate"');
  await createExample((one) => (one.kind === 'ClusterClass' ? (JSON.parse(text(one)) as KubeObject) : one));
  await begin();
  expect(await condition()).toContain(`no matches for kind "ShelfTemplate" in version "${GROUP}/v2"`);
  expect(await condition()).toContain('label cluster.x-k8s.io/<version of a contract>');
  expect(await listed('rackmachinetemplates')).toEqual([]);
});
