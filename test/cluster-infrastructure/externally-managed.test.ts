import { CreateTagsCommand, CreateVpcCommand } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, it } from 'vitest';
import { isLooked } from '../../functions/providers/aws/drift/accounts.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING } from './inventory.ts';
import { askForDeletion, create, nobody, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const MANAGED_BY = 'cluster.x-k8s.io/managed-by';

/** The AWSCluster as another system creates it. */
const startManaged = async (): Promise<void> => {
  world = await startWorld();
  await world.objects.mutate(kinds.awsCluster, KEY, ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { [MANAGED_BY]: 'crossplane' } },
  }));
};

/** Reports that the infrastructure exists, as the other system does. */
const reportReady = (endpoint: object = { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } }) =>
  world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, ...endpoint },
    status: { ...current.status, ready: true },
  }));

/** A VPC of the other system, with the tags with which the AWS provider marks its resources. */
const makeTheirVpc = async (): Promise<void> => {
  const { Vpc } = await world.client.send(new CreateVpcCommand({ CidrBlock: '10.1.0.0/16' }));
  const Tags = [
    { Key: 'sigs.k8s.io/cluster-api-provider-aws/cluster/red', Value: 'owned' },
    { Key: 'sigs.k8s.io/cluster-api-provider-aws/role', Value: 'common' },
  ];
  await world.client.send(new CreateTagsCommand({ Resources: [Vpc?.VpcId ?? ''], Tags }));
};

describe('infrastructure that another system manages', () => {
  it('is not created, and its AWSCluster is not written', async () => {
    await startManaged();
    const before = await world.awsCluster();

    expect(await create(world)).toBe(false);

    expect(await inventory(world)).toEqual(NOTHING);
    expect((await world.awsCluster()).metadata).toEqual(before.metadata);
    expect((await world.awsCluster()).status).toEqual(before.status);
  });

  it('lets the cluster continue once its AWSCluster is ready and has an endpoint', async () => {
    await startManaged();
    await reportReady();
    const before = await world.awsCluster();

    expect(await create(world)).toBe(true);

    expect(await inventory(world)).toEqual(NOTHING);
    expect(await world.awsCluster()).toEqual(before);
  });

  it('keeps the cluster waiting while its AWSCluster is ready without an endpoint', async () => {
    await startManaged();
    await reportReady({});

    expect(await create(world)).toBe(false);
  });

  it('stays when the cluster is deleted, even after its AWSCluster is gone', async () => {
    await startManaged();
    await makeTheirVpc();
    await world.objects.mutate(kinds.cluster, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'windlass.dev/infrastructure-managed-by': 'crossplane' } },
    }));

    await askForDeletion(world);
    expect(await world.objects.get(kinds.awsCluster, KEY)).toBeUndefined();
    await remove(world);

    expect(await inventory(world)).toMatchObject({ vpcs: 1 });
  });

  it('stays with its AWSCluster while the finalizer of the other system remains', async () => {
    await startManaged();
    await makeTheirVpc();
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: ['crossplane.example.com/held'] },
    }));

    await askForDeletion(world);
    await remove(world, { executioner: nobody() });

    expect(await inventory(world)).toMatchObject({ vpcs: 1 });
    expect((await world.awsCluster()).metadata.finalizers).toEqual(['crossplane.example.com/held']);
  });

  it('no longer belongs to Windlass if the annotation is added to an AWSCluster that Windlass created', async () => {
    world = await startWorld();
    expect(await create(world)).toBe(true);
    const built = await inventory(world);
    const cluster = await world.objects.get(kinds.cluster, KEY);
    const placed = async () => ({ cluster: cluster as never, awsCluster: await world.awsCluster() });
    expect(isLooked(await placed(), 'network')).toBe(true);
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, [MANAGED_BY]: 'crossplane' } },
    }));

    expect(isLooked(await placed(), 'network')).toBe(false);
    await askForDeletion(world);
    await remove(world);

    expect(await inventory(world)).toEqual(built);
  });
});
