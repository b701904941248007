import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../shared/clock.ts';
import { makeBootLog } from '../boot-log.ts';
import { makeFileSystem } from '../user-data/file-system.ts';
import type { KubeadmCall } from '../user-data/kubeadm-call.ts';
import { isIgnitionImage, runIgnition } from './run.ts';

const INSTANCE = {
  id: 'i-1',
  region: 'us-east-1',
  vpcId: 'vpc-1',
  availabilityZone: 'us-east-1b',
  imageId: 'ami-1',
  instanceType: 't3.large',
  privateIp: '10.0.1.23',
  privateDnsName: 'ip-10-0-1-23.ec2.internal',
};

const boot = async (config: unknown, remote: Readonly<Record<string, unknown>> = {}) => {
  const files = makeFileSystem();
  const log = makeBootLog(systemClock);
  const calls: KubeadmCall[] = [];
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  await runIgnition(Buffer.from(text).toString('base64'), {
    instance: INSTANCE,
    files,
    log,
    kubeadm: async (call) => calls.push(call) > 0,
    install: () => true,
    answers: async () => true,
    rke2: { install: () => false, start: async () => false },
    waiting: { clock: systemClock, signal: new AbortController().signal, retryMilliseconds: 0 },
    remote: {
      fetch: async (url) => {
        if (!(url in remote)) throw Object.assign(new Error('no such key'), { name: 'NoSuchKey' });
        return Buffer.from(JSON.stringify(remote[url]));
      },
    },
  });
  return { files, calls, log: log.lines().join('\n') };
};

const file = (path: string, source: string, more: object = {}) => ({ path, contents: { source }, ...more });
const v3 = (parts: object, config: object = {}) => ({ ignition: { version: '3.1.0', config }, ...parts });

describe('runIgnition', () => {
  it('writes the files of the config and of the configs that it refers to, which take precedence', async () => {
    const packed = `data:;base64,${gzipSync('packed').toString('base64')}`;
    const { files } = await boot(
      v3(
        { storage: { files: [file('/a', 'data:,one', { mode: 0o600 }), file('/b', 'data:,b%20%25')] } },
        { merge: [{ source: 's3://bucket/more' }] },
      ),
      {
        's3://bucket/more': v3({
          storage: {
            files: [{ path: '/a', contents: { source: packed, compression: 'gzip' }, append: [{ source: 'data:,!' }] }],
          },
        }),
      },
    );

    expect(files.read('/a')).toBe('packed!');
    expect(files.read('/b')).toBe('b %');
  });

  it('starts enabled services, with the variables of their image if they use them', async () => {
    const dropins = [
      {
        name: 'a.conf',
        contents:
          '[Unit]\nRequires=coreos-metadata.service\nAfter=coreos-metadata.service\n[Service]\nEnvironmentFile=/run/metadata/*\n',
      },
    ];
    const unit = (name: string, path: string, more: object = {}) => ({
      name,
      enabled: true,
      contents: `[Unit]\nConditionPathExists=/etc/k.yml\n[Service]\nExecStart=/bin/bash ${path}\n`,
      ...more,
    });
    const script =
      'set -e\nenvsubst < /etc/k.yml > /etc/k2.yml\nkubeadm join --config /etc/k2.yml\nmv /etc/k.yml /srv/\n';
    const { files, calls, log } = await boot({
      ignition: { version: '2.3.0' },
      storage: {
        files: [
          file('/etc/k.yml', 'data:,name%3A%20%24%7BCOREOS_EC2_HOSTNAME%7D'),
          file('/etc/k.sh', `data:,${encodeURIComponent(script)}`),
        ],
        disks: [{ device: '/dev/sdb' }],
      },
      systemd: { units: [unit('k.service', '/etc/k.sh', { dropins }), unit('later.service', '/etc/k.sh')] },
    });

    expect(calls).toMatchObject([{ verb: 'join', configPath: '/etc/k2.yml' }]);
    expect(files.read('/etc/k2.yml')).toBe('name: ip-10-0-1-23.ec2.internal');
    expect(files.read('/srv/k.yml')).toBeDefined();
    expect(log).toContain('Finished k.service');
    expect(log).toContain('later.service was skipped: there is no /etc/k.yml');
    expect(log).toContain('not executed on the simulated machine: storage.disks');
  });

  it.each([
    ['#cloud-config\nsecret: 1', 'not JSON'],
    [{ ignition: { version: '4.0.0' } }, 'version 4.0.0 is not supported'],
    [v3({}, { merge: [{ source: 's3://bucket/secret' }] }), 'cannot fetch a s3 address: NoSuchKey'],
    [v3({ storage: { files: [file('/a', 'tftp://secret')] } }), 'tftp: addresses are not fetched'],
    [v3({ storage: { files: [file('/run/a', 'data:,secret')] } }), '/run/a is lost'],
    [
      v3({ storage: { files: [{ path: '/a', contents: { source: 'data:,x', verification: { hash: 'sha256-0' } } }] } }),
      'hash verification failed',
    ],
  ])('reports on the console what cannot work, but no secrets: %j', async (config, says) => {
    const { calls, log } = await boot(config);
    expect(calls).toEqual([]);
    expect(log).toContain(says);
    expect(log).not.toContain('secret');
  });

  it('applies to Flatcar images instead of cloud-init', () => {
    expect(isIgnitionImage('capa-ami-flatcar-stable-v1.34.0-1700000000')).toBe(true);
    expect(isIgnitionImage('Flatcar-stable-4230.2.1-hvm')).toBe(true);
    expect(isIgnitionImage('capa-ami-ubuntu-24.04-v1.34.0-1700000000')).toBe(false);
  });
});
