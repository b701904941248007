import { describe, expect, it } from 'vitest';
import { testCertificates } from '../../shared/bootstrap/certificates/fixtures.ts';
import { type AWSCluster, type KubeadmConfig, kinds } from '../../shared/kinds/index.ts';
import { makeMachines } from './test-machines.ts';

const certificates = await testCertificates();
const BUCKET = {
  name: 'bucket',
  controlPlaneIAMInstanceProfile: 'control-plane',
  nodesIAMInstanceProfiles: ['nodes'],
};
const WORKER = { namespace: 'default', name: 'w-1' };

/** A worker with the format Ignition, in a cluster with or without a bucket. */
const flatcar = async (s3Bucket: object | undefined, ignition?: object, config: object = {}) => {
  const world = await makeMachines({ certificates, ignition });
  const { objects } = world;
  await objects.mutate(
    kinds.kubeadmConfig,
    WORKER,
    (current): KubeadmConfig => ({
      ...current,
      spec: { ...current.spec, format: 'ignition', ...config },
    }),
  );
  await objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, (current) => ({
    ...current,
    spec: { ...current.spec, ...(s3Bucket ? { s3Bucket } : {}) } as AWSCluster['spec'],
  }));
  await world.provision('w-1');
  const userData = world.launched.map(({ UserData = '' }) => JSON.parse(Buffer.from(UserData, 'base64').toString()));
  const read = async () =>
    (await objects.get(kinds.machine, WORKER))?.status?.conditions?.map(({ message }) => message);
  return { ...world, userData: userData[0], messages: async () => (await read())?.join('\n') };
};

describe('a machine with Ignition', () => {
  it('gets the address of its data in the bucket, which are deleted with it', async () => {
    const { userData, stored, steps, inputOf, context } = await flatcar(BUCKET);

    const [place = ''] = stored.keys();
    expect(place).toMatch(/^bucket\/node\/w-1-/);
    expect(userData).toEqual({
      ignition: { version: '2.3.0', config: { append: [{ source: `s3://${place}` }] } },
    });
    expect(JSON.parse(stored.get(place) ?? '').ignition.version).toBe('2.3.0');
    await steps.instance.terminateInstance(await inputOf('w-1'), context);
    expect(stored.size).toBe(0);
  });

  it('gets a temporary URL in its Ignition version if the bucket is configured so', async () => {
    const { userData, stored } = await flatcar({ name: 'bucket', presignedURLDuration: '1h30m' }, { version: '3.4' });

    expect(userData.ignition.config.merge[0].source).toMatch(/^https:\/\/bucket\.example\.com\/node\/.*seconds=5400$/);
    expect(JSON.parse([...stored.values()][0] ?? '').ignition.version).toBe('3.4.0');
  });

  it('gets the data itself if its spec requests that', async () => {
    const { userData, stored } = await flatcar(undefined, { storageType: 'UnencryptedUserData', version: '3.1' });

    expect(userData.systemd.units[0].name).toBe('kubeadm.service');
    expect(stored.size).toBe(0);
  });

  it.each([
    [undefined, undefined, {}, 'ClusterObjectStore needs a bucket: set spec.s3Bucket'],
    [{ name: 'bucket', presignedURLDuration: '200h' }, undefined, {}, '"200h" is not a duration between 1s and 168h'],
    [
      undefined,
      { storageType: 'UnencryptedUserData' },
      { ignition: { containerLinuxConfig: { additionalConfig: 'etcd: {}' } } },
      'additionalConfig: etcd: is not supported',
    ],
  ])('is not launched if a user must change something: %j %j %j', async (bucket, ignition, config, says) => {
    const { launched, stored, messages } = await flatcar(bucket, ignition, config);

    expect(launched).toEqual([]);
    expect(stored.size).toBe(0);
    expect(await messages()).toContain(says);
  });
});
