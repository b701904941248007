/** A replacement machine must start although its image will soon be removed, or is no longer listed. */
import { expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { imagesOf } from '../../infra/local/engines/ec2/images/images.ts';
import { MissingReferenceError } from '../../shared/errors.ts';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { withImages } from '../../shared/providers/aws/plan/launch/remembered-images.ts';
import { context, forEachTest } from './setting.ts';
import type { MachineWorld } from './world.ts';

const PARAMETER = '/platform/node-image';
const LOOKUP = `parameter ${PARAMETER}`;
const named = (name: RegExp) => [...imagesOf('us-east-1').values()].find((image) => name.test(image.name))?.id ?? '';
const IMAGE = named(/^capa-ami-ubuntu-24\.04-v1\.34\.0-/);

let world: MachineWorld;
let parameter: string | undefined;

forEachTest(
  (next) => {
    world = next;
    parameter = IMAGE;
  },
  { spec: { imageLookupFormat: `ssm:${PARAMETER}` } },
);

const imageId = async (): Promise<string> => {
  if (parameter === undefined) throw new MissingReferenceError(`there is no parameter ${PARAMETER}`);
  return parameter;
};

const launch = async (name: string): Promise<string | undefined> => {
  const { dependencies, input } = world;
  const sources = { ...dependencies.launches({} as never), imageParameters: { imageId } };
  const { metadata } = (await dependencies.objects.get(kinds.machine, { namespace: 'default', name })) as Machine;
  const machine = { ...input.machine, name, uid: metadata.uid ?? '' };
  await makeInstanceSteps({ ...dependencies, launches: () => sources }).launchInstance({ ...input, machine }, context);
  const { spec } = (await awsMachine(name)) as AWSMachine;
  return world.account.ec2().instances.find(spec.instanceID ?? '')?.imageId;
};
const awsMachine = (name: string) => world.dependencies.objects.get(kinds.awsMachine, { namespace: 'default', name });

/** Another machine like the first. */
const addMachine = async (name: string, change: Partial<AWSMachine['spec']> = {}): Promise<void> => {
  const { stored } = world;
  const first = (await stored.get(kinds.machine, { namespace: 'default', name: 'm-1' })) as Machine;
  const { labels } = first.metadata;
  const metadata = { name, namespace: 'default', ...(labels ? { labels } : {}) };
  await stored.ensure(kinds.awsMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata,
    spec: { instanceType: 't3.large', imageLookupFormat: `ssm:${PARAMETER}`, ...change },
  } as AWSMachine);
  const infrastructureRef = { ...first.spec.infrastructureRef, name };
  await stored.ensure(kinds.machine, { ...first, metadata, spec: { ...first.spec, infrastructureRef } } as Machine);
};

const warnings = async (): Promise<string[]> =>
  (await world.dependencies.objects.list(kinds.event, 'default'))
    .filter(({ reason }) => reason === 'ImageNotFound')
    .map(({ message }) => message ?? '');

it('launches a deprecated image if a lookup finds no other', async () => {
  world.account.settings.publishedImages.push({ name: '*-v1.34.0-*', deprecatedAt: '2020-01-01T00:00:00Z' });
  await addMachine('m-2', { imageLookupFormat: 'capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*' });

  expect(await launch('m-2')).toBe(IMAGE);
});

it('launches the image that another machine’s lookup found if its own finds nothing, and warns about that', async () => {
  expect(await launch('m-1')).toBe(IMAGE);
  parameter = undefined;
  await addMachine('m-2');

  expect(await launch('m-2')).toBe(IMAGE);
  expect(await warnings()).toEqual([
    expect.stringMatching(
      new RegExp(`no parameter ${PARAMETER} any more: the previous one, ${IMAGE}, is launched.*set spec\\.ami\\.id`),
    ),
  ]);
});

it('launches the image that the cluster has recorded if no machine is left that was launched from it', async () => {
  const key = { namespace: 'default', name: 'red' };
  await world.dependencies.objects.mutate(kinds.awsCluster, key, (current) =>
    withImages(current, new Map([[LOOKUP, IMAGE]])),
  );
  parameter = undefined;

  expect(await launch('m-1')).toBe(IMAGE);
});

it('never launches the image that a different lookup found', async () => {
  await launch('m-1');
  parameter = undefined;
  await addMachine('m-2', { imageLookupFormat: 'ssm:/platform/another' });

  await expect(launch('m-2')).rejects.toThrow(MissingReferenceError);
});

it('reports what is missing, and what to do, if the recorded image cannot be launched either', async () => {
  await launch('m-1');
  parameter = undefined;
  world.account.settings.publishedImages.push({ name: '*-v1.34.0-*', isWithdrawn: true });
  await addMachine('m-2');

  const gone = `the previous one, ${IMAGE}, can no longer be launched either; set spec\\.ami\\.id, or copy`;
  await expect(launch('m-2')).rejects.toThrow(new RegExp(`there is no parameter ${PARAMETER}; ${gone}`));
});

it('reports the missing image that a machine names, and what to do', async () => {
  await addMachine('m-2', { ami: { id: 'ami-0123456789abcdef0' } });

  await expect(launch('m-2')).rejects.toThrow(
    /^spec\.ami\.id: InvalidAMIID\.NotFound: .*ami-0123456789abcdef0.*; set spec\.ami\.id, or copy/,
  );
});

it('reads no further objects while lookups find their images', async () => {
  const { objects } = world.dependencies;
  const asked: string[] = [];
  const listOfCluster: typeof objects.listOfCluster = (resource, ...rest) => {
    asked.push(resource.kind);
    return objects.listOfCluster(resource, ...rest);
  };
  world.dependencies = { ...world.dependencies, objects: { ...objects, listOfCluster } };

  await launch('m-1');
  expect(asked).toEqual([]);
});
