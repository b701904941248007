import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, Machine } from '../../../../shared/kinds/index.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import type { PoolDependencies } from './dependencies.ts';
import { userDataOf } from './user-data.ts';

const noise = (bytes: number): Buffer => Buffer.from(systemRandom.bytes(bytes));
const machine = { metadata: { namespace: 'default' }, spec: { bootstrap: { dataSecretName: 'mine' } } } as Machine;
const awsCluster = { spec: { s3Bucket: { name: 'bucket' } } } as AWSCluster;
const poolOf = (spec: object) => ({ metadata: { name: 'pool', uid: 'uid' }, spec }) as AWSMachinePool;

/** The user data of a pool whose data Secret contains these bytes, and what was stored in the bucket. */
const userData = async (value: Uint8Array, { format = 'cloud-config', pool = poolOf({}) } = {}) => {
  const stored: Uint8Array[] = [];
  const data = { value: Buffer.from(value).toString('base64'), format: btoa(format) };
  const deps = {
    clock: testClock('2026-01-01T00:00:00Z'),
    objects: { get: async () => ({ data }), mutate: async () => undefined, ensure: async () => ({ created: true }) },
    bootstrapObjects: { put: async ({ body }: { body: Uint8Array }) => void stored.push(body) },
  } as unknown as PoolDependencies;
  const text = await userDataOf(deps, machine, { awsPool: pool, awsCluster });
  return { bytes: Buffer.from(text, 'base64'), stored };
};

describe('the user data of a MachinePool', () => {
  it.each([16_382, 16_383, 16_384])('may have %i bytes', async (length) => {
    const value = noise(length);
    expect((await userData(value)).bytes).toEqual(value);
  });

  it('is refused with its actual length', async () => {
    const value = gzipSync(noise(17_000));
    await expect(userData(value)).rejects.toThrow(`the bootstrap data has ${value.length} bytes, EC2 accepts 16384`);
  });

  it('is passed on unchanged if the user has compressed it', async () => {
    const value = gzipSync('#cloud-config\n');
    expect((await userData(value)).bytes).toEqual(value);
  });

  it('for Ignition is passed on unchanged, in a launch template and in the bucket', async () => {
    const value = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    expect((await userData(value, { format: 'ignition' })).bytes).toEqual(value);
    const pool = poolOf({ ignition: { version: '3.4', storageType: 'ClusterObjectStore' } });
    const { stored } = await userData(value, { format: 'ignition', pool });
    expect(stored.map((body) => Buffer.from(body))).toEqual([value]);
  });
});
