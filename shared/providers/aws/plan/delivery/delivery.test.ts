import { Buffer } from 'node:buffer';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../random.ts';
import { type DeliveryInput, planDelivery, prefixFor, secretNames, secretPrefix } from './plan.ts';

const prefix = secretPrefix('5bcd1d9a-0f4e-4d0a-9d0b-111111111111');
const noise = Buffer.from(systemRandom.bytes(100_000)).toString('base64');
const plan = (input: Partial<DeliveryInput> = {}) =>
  planDelivery({
    body: '#cloud-config\n',
    mode: 'secrets-manager',
    secretPrefix: prefix,
    region: 'us-east-1',
    ...input,
  });
const decode = (userData: string): string => Buffer.from(userData, 'base64').toString('utf8');

describe('planDelivery by Secrets Manager', () => {
  it('puts a body of usual size into one secret', () => {
    expect(plan({ body: '#cloud-config\n' }).secrets).toHaveLength(1);
    expect(plan({ body: noise.slice(0, 20_000) }).secrets).toHaveLength(1);
  });

  it('continues with chunks of 7000 bytes if an earlier version has recorded them', () => {
    const body = noise.slice(0, 30_000);
    const before = plan({ body, recordedCount: Math.ceil(gzipSync(body, { level: 9 }).length / 7000) });
    expect(before.secrets.length).toBeGreaterThan(1);
    expect(before.secrets.slice(0, -1).every(({ data }) => data.length === 7000)).toBe(true);
    expect(decode(before.userData)).toContain(`CHUNKS="${before.secrets.length}"`);
    expect(plan({ body, recordedCount: 1 }).secrets).toHaveLength(1);
  });

  it('splits the compressed body into chunks of 60,000 bytes that together restore it', () => {
    const { secrets } = plan({ body: noise });

    expect(secrets.length).toBeGreaterThan(1);
    expect(secrets.slice(0, -1).every(({ data }) => data.length === 60_000)).toBe(true);
    expect(secrets.map(({ name }) => name)).toEqual(secretNames(prefix, secrets.length));
    expect(secrets[0]?.name).toBe('aws.cluster.x-k8s.io/5bcd1d9a-0f4e-4d0a-9d0b-111111111111-0');
    expect(gunzipSync(Buffer.concat(secrets.map(({ data }) => data))).toString()).toBe(noise);
  });

  it('gives the same plan for the same input', () => {
    expect(plan({ body: noise })).toEqual(plan({ body: noise }));
  });

  it('keeps the body out of the user data, which fits into EC2', () => {
    const userData = decode(plan({ body: 'the secret' }).userData);

    expect(userData).not.toContain('the secret');
    expect(userData.length).toBeLessThan(16_384);
  });

  it('produces a MIME document of a boothook and an include', () => {
    const userData = decode(plan({ body: noise }).userData);

    const [head = '', ...sections] = userData.split('--==windlass-user-data==');
    expect(head).toMatch(/^MIME-Version: 1\.0\nContent-Type: multipart\/mixed; boundary="==windlass-user-data=="\n\n$/);
    expect(sections).toHaveLength(3);
    expect(sections[0]).toMatch(
      /^\nContent-Type: text\/cloud-boothook;[^\n]*\n[\s\S]*?\n\n#cloud-boothook\n#!\/bin\/bash\n/,
    );
    expect(sections[1]).toMatch(
      /^\nContent-Type: text\/x-include-url;[\s\S]*\n\nfile:\/\/\/etc\/secret-userdata\.txt\n/,
    );
    expect(sections[2]).toBe('--\n');
    expect(userData).toContain(`SECRET_PREFIX="${prefix}"`);
    expect(userData).toContain(`REGION="us-east-1"`);
    expect(userData).toContain(`CHUNKS="${plan({ body: noise }).secrets.length}"`);
  });

  it('includes nothing on an image that would not tolerate a missing file', () => {
    const userData = decode(plan({ withoutInclude: true }).userData);
    expect(userData.split('--==windlass-user-data==')).toHaveLength(3);
    expect(userData).not.toContain('x-include-url');
    expect(userData).toContain('cloud-init $version is too old');
  });

  it.each([
    ['#cloud-config\n', 'target="$CONFIGURATION"'],
    ['## template: jinja\n#cloud-config\n', 'target="$CONFIGURATION"'],
    ['\n#!/bin/sh\n', '\ntarget="$SCRIPT"'],
    ['#cloud-config-archive\n', 'cloud_init_is 24.2 && fail'],
    ['## template: jinja\n#!/bin/sh\n', 'cloud_init_is 24.2 && fail'],
    ['#include\nhttps://example.com\n', 'cloud_init_is 24.2 && fail'],
    ['MIME-Version: 1.0\n', 'cloud_init_is 24.2 && fail'],
  ])('delivers data according to its type: %j', (body, says) => {
    for (const given of [body, gzipSync(body)]) expect(decode(plan({ body: given }).userData)).toContain(says);
  });

  it('refuses data that requires an include, if there is none', () => {
    expect(() => plan({ body: 'MIME-Version: 1.0\n', withoutInclude: true })).toThrow(
      /^spec\.bootstrap\.dataSecretName: names a Secret whose value is neither cloud-config nor a shell script/,
    );
  });

  it.each(['secrets-manager', 'ssm-parameter-store'] as const)('leaves most of the user data free: %s', (mode) => {
    const { userData } = plan({ mode, secretPrefix: 'a'.repeat(400) });
    expect(Buffer.byteLength(userData, 'base64')).toBeLessThan(8192);
  });

  it.each([
    { input: { secretPrefix: 'a"; reboot; "' }, says: /^spec\.cloudInit\.secretPrefix: / },
    { input: { region: '$(reboot)' }, says: /^spec\.region: / },
  ])('refuses input that a shell would run in the script: $says', ({ input, says }) => {
    expect(() => plan(input)).toThrow(says);
  });
});

describe('planDelivery in plain user data', () => {
  it('delivers the body itself, or the body gzipped', () => {
    expect(decode(plan({ mode: 'plain' }).userData)).toBe('#cloud-config\n');
    const compressed = plan({ mode: 'plain', compress: true });
    expect(gunzipSync(Buffer.from(compressed.userData, 'base64')).toString()).toBe('#cloud-config\n');
    expect(compressed.secrets).toEqual([]);
  });

  it('compresses the body only if it does not fit otherwise', () => {
    expect(decode(plan({ mode: 'plain', body: 'x'.repeat(16_384) }).userData)).toBe('x'.repeat(16_384));
    const { userData } = plan({ mode: 'plain', body: 'x'.repeat(16_385) });
    expect(gunzipSync(Buffer.from(userData, 'base64')).toString()).toBe('x'.repeat(16_385));
  });

  it('accepts no more than 16 KiB', () => {
    expect(() => plan({ mode: 'plain', compress: false, body: 'x'.repeat(16_385) })).toThrow(
      /^spec\.cloudInit\.insecureSkipSecretsManager: the user data has 16385 bytes, EC2 accepts 16384; remove the field, remove spec\.uncompressedUserData, or shorten/,
    );
    for (const compress of [true, undefined])
      expect(() => plan({ mode: 'plain', compress, body: noise })).toThrow(
        /bytes when compressed, .*remove the field or shorten/,
      );
  });

  it('does not compress a compressed body again, because cloud-init unpacks only once', () => {
    const body = gzipSync('#cloud-config\n');
    for (const compress of [true, false, undefined])
      expect(Buffer.from(plan({ mode: 'plain', compress, body }).userData, 'base64')).toEqual(body);
  });
});

describe('planDelivery by the Parameter Store', () => {
  const ssm = (input: Partial<DeliveryInput> = {}) => plan({ mode: 'ssm-parameter-store', ...input });

  it('splits the compressed body into chunks of 4000 characters of base64 under a path', () => {
    const { secrets } = ssm({ body: noise });

    expect(secrets.length).toBeGreaterThan(7);
    const lengths = secrets.map(({ data }) => Buffer.from(data).toString('base64').length);
    expect(lengths.slice(0, -1).every((length) => length === 4000)).toBe(true);
    expect(lengths.at(-1)).toBeLessThanOrEqual(4000);
    expect(secrets[1]?.name).toBe('/cluster.x-k8s.io/5bcd1d9a-0f4e-4d0a-9d0b-111111111111/1');
    expect(gunzipSync(Buffer.concat(secrets.map(({ data }) => data))).toString()).toBe(noise);
  });

  it('restores the names from the recorded prefix', () => {
    const { secrets } = ssm({ body: noise });
    const recorded = prefixFor('ssm-parameter-store', prefix);

    expect(secretNames(recorded, secrets.length)).toEqual(secrets.map(({ name }) => name));
    expect(prefixFor('ssm-parameter-store', recorded)).toBe(recorded);
    expect(decode(ssm().userData)).toContain(`SECRET_PREFIX="${recorded}"`);
  });

  it.each([
    { given: 'aws.mine/x', taken: '/mine/x' },
    { given: '/ssm/mine', taken: '/mine' },
    { given: 'mine', taken: '/mine' },
  ])('uses $taken for $given, which the store would refuse', ({ given, taken }) => {
    expect(ssm({ secretPrefix: given }).secrets[0]?.name).toBe(`${taken}/0`);
  });

  it('reads with decryption, in one call for each chunk', () => {
    const script = decode(ssm().userData);
    expect(script).toMatch(/aws ssm --region "\$REGION"/);
    expect(script).toContain(
      'get-parameter --name "$SECRET_PREFIX/$1" --with-decryption --query Parameter.Value --output',
    );
    expect(script).toContain('secrets delete-parameter --name "$SECRET_PREFIX/$1" >/dev/null');
    expect(script).not.toContain('secretsmanager');
  });

  it('refuses invalid names for each of the two stores', () => {
    expect(() => plan({ secretPrefix: '/mine' })).toThrow(/^spec\.cloudInit\.secretPrefix: /);
    expect(() => ssm({ secretPrefix: 'a"; reboot; "' })).toThrow(/^spec\.cloudInit\.secretPrefix: /);
  });
});
