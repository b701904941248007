import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { AWSMachineTemplate } from '../../../shared/kinds/aws-machine-template/schema.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { applyCluster, conditionOf, context, makeWorld, type World } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';

const example = async (): Promise<KubeObject[]> =>
  parseAllDocuments(await readFile('examples/clusterclass.yaml', 'utf8')).map((document) => {
    const object = document.toJS() as KubeObject;
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  });

const database = useTestDatabase();
let world: World;
let input: ConvergeInput;

beforeEach(async () => {
  world = await makeWorld(database());
  input = (await applyCluster(world, await example())).input;
});

const at = (name: string) => ({ namespace: 'default', name });
const begin = () => world.steps.begin(input, context);
const cluster = async (): Promise<Cluster> => (await world.objects.get(kinds.cluster, at('managed'))) as Cluster;
const templates = () => world.objects.listOfCluster<AWSMachineTemplate>(kinds.awsMachineTemplate, 'default', 'managed');

describe('a cluster with a topology', () => {
  it('gets its objects in the first pass, and no write in the next', async () => {
    expect(await begin()).toMatchObject({ mode: 'normal', infrastructure: 'aws' });
    const { spec, status, metadata } = await cluster();
    expect(conditionOf({ status: status as never }, 'TopologyReconciled')).toMatchObject({
      status: 'True',
      message: '',
    });
    expect(metadata.labels).toMatchObject({ 'topology.cluster.x-k8s.io/owned': '' });
    const infrastructure = await world.objects.get(kinds.awsCluster, at(spec.infrastructureRef?.name ?? ''));
    expect(infrastructure?.spec).toMatchObject({
      region: 'us-east-1',
      network: { vpc: { availabilityZoneUsageLimit: 3 } },
    });
    const [deployment] = await world.objects.listOfCluster(kinds.machineDeployment, 'default', 'managed');
    expect(deployment?.spec).toMatchObject({ replicas: 2, template: { spec: { version: 'v1.34.0' } } });
    expect(await world.objects.listOfCluster(kinds.machineHealthCheck, 'default', 'managed')).toHaveLength(2);
    expect(await templates()).toHaveLength(2);
    const versions = async () =>
      (await templates()).concat((await cluster()) as never).map((it) => it.metadata.resourceVersion);
    const before = await versions();
    await begin();
    expect(await versions()).toEqual(before);
  });
});
