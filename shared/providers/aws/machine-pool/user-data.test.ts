import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool } from '../../../kinds/index.ts';
import { isObjectOfPool, poolUserData } from './user-data.ts';

const awsPool = (ignition?: object): AWSMachinePool =>
  ({ metadata: { name: 'pool-0', uid: 'u1' }, spec: { awsLaunchTemplate: {}, ignition } }) as unknown as AWSMachinePool;

const awsCluster = (s3Bucket?: object): AWSCluster => ({ spec: { s3Bucket } }) as unknown as AWSCluster;

const decode = (userData: string): Buffer => Buffer.from(userData, 'base64');

describe('the user data of a pool', () => {
  it('is the bootstrap data itself, compressed where it is long', () => {
    const short = poolUserData({ body: '#cloud-config\n', format: 'cloud-config' }, awsPool(), awsCluster());
    expect(decode(short.userData).toString()).toBe('#cloud-config\n');
    const body = 'long '.repeat(5000);
    const long = poolUserData({ body, format: 'cloud-config' }, awsPool(), awsCluster());
    expect(gunzipSync(decode(long.userData)).toString()).toBe(body);
  });

  it('is refused where EC2 does not accept it', () => {
    const body = randomBytes(20_000).toString('hex');
    expect(() => poolUserData({ body, format: 'cloud-config' }, awsPool(), awsCluster())).toThrow(
      /MachinePool spec.template.spec.bootstrap: the bootstrap data has 40000 bytes, \d+ compressed, and EC2 accepts 16384/,
    );
  });

  it('holds an Ignition config unless the pool asks for a bucket', () => {
    const body = '{"ignition":{"version":"3.3.0"}}';
    const plain = poolUserData({ body, format: 'ignition' }, awsPool(), awsCluster());
    expect(decode(plain.userData).toString()).toBe(body);
    const stored = poolUserData(
      { body, format: 'ignition' },
      awsPool({ storageType: 'ClusterObjectStore', version: '3.3' }),
      awsCluster({ name: 'bucket' }),
    );
    expect(stored.object).toMatchObject({ bucket: 'bucket', body });
    expect(decode(stored.userData).toString()).toContain(`s3://bucket/${stored.object?.key}`);
    expect(isObjectOfPool(awsPool(), stored.object?.key ?? '')).toBe(true);
    expect(isObjectOfPool(awsPool(), 'node/pool-0-other/x')).toBe(false);
  });

  it.each([
    [undefined, /needs a bucket/],
    [{ name: 'bucket', presignedURLDuration: '1h' }, /presignedURLDuration/],
  ])('is refused where the bucket is %o', (bucket, message) => {
    const infrastructure = awsPool({ storageType: 'ClusterObjectStore', version: '3.3' });
    const data = { body: '{}', format: 'ignition' };
    expect(() => poolUserData(data, infrastructure, awsCluster(bucket))).toThrow(message);
  });
});
