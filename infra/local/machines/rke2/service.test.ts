import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { initInput, workerInput } from '../../../../shared/bootstrap/rke2/fixtures.ts';
import type { Rke2Input } from '../../../../shared/bootstrap/rke2/input.ts';
import { rke2Setup } from '../../../../shared/bootstrap/rke2/setup.ts';
import { makeBootLog } from '../boot-log.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';
import { makeFileSystem } from '../user-data/file-system.ts';
import { unknownKeys } from './flags.ts';
import { makeRke2Services } from './service.ts';

const VERSION = 'v1.34.2+rke2r1';

const machineWith = (config: string | undefined) => {
  let time = 0;
  const clock = {
    now: () => new Date(time),
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
  const bootLog = makeBootLog(clock);
  const files = makeFileSystem();
  if (config !== undefined) files.write('/etc/rancher/rke2/config.yaml', config);
  const instance = { privateDnsName: 'ip-10-0-0-1.ec2.internal' };
  const signal = new AbortController().signal;
  const machine = {
    clock,
    bootLog,
    files,
    instance,
    signal,
    retryMilliseconds: 60_000,
    reset: async () => undefined,
    resumed: () => undefined,
  };
  return {
    services: makeRke2Services(machine as unknown as MachineContext),
    console: () => bootLog.lines().join('\n'),
  };
};

describe('RKE2 on a simulated machine', () => {
  it('does not start a service that was not installed', async () => {
    const { services, console } = machineWith('');
    services.install({ type: 'agent', version: VERSION });
    expect(await services.start('server')).toBe(false);
    expect(console()).toContain('Unit rke2-server.service not found');
  });

  it('installs only existing releases of RKE2', () => {
    const { services, console } = machineWith('');
    expect(services.install({ type: 'server', version: 'v1.34.2' })).toBe(false);
    expect(console()).toContain('failed to download checksums of release v1.34.2');
  });

  it.each([
    { config: undefined, says: '--server is required' },
    { config: 'server: https://127.0.0.1:1\n', says: '--token is required' },
    { config: 'server: https://127.0.0.1:1\ntoken: K10wrong::node:a\n', says: 'invalid token format' },
    { config: 'server: https://127.0.0.1:1\ntoken: a\n', says: 'ECONNREFUSED' },
  ])('gives up eventually, and reports once that $says', async ({ config, says }) => {
    const { services, console } = machineWith(config);
    services.install({ type: 'agent', version: VERSION });
    expect(await services.start('agent')).toBe(false);
    expect(console().split(says)).toHaveLength(2);
  });
});

const component = { extraArgs: ['a=b'], extraEnv: { A: 'b' }, extraMounts: { '/a': '/b' }, overrideImage: 'image' };
const AGENT = {
  dataDir: '/data',
  nodeLabels: ['a=b'],
  nodeTaints: ['a=b:NoSchedule'],
  containerRuntimeEndpoint: '/run/cri.sock',
  snapshotter: 'native',
  cisProfile: 'cis',
  podSecurityAdmissionConfigFile: '/psa.yaml',
  protectKernelDefaults: true,
  systemDefaultRegistry: 'registry.example.com',
  enableContainerdSElinux: true,
  kubeletPath: '/usr/bin/kubelet',
  kubelet: { extraArgs: ['v=2'] },
  kubeProxy: component,
  runtimeImage: 'image',
  loadBalancerPort: 6444,
} as const;
const S3 = { endpoint: 's3.example.com', bucket: 'b', region: 'r', folder: 'f' };
const BACKUP = {
  disableAutomaticSnapshots: true,
  snapshotName: 'n',
  scheduleCron: '@daily',
  retention: '5',
  directory: '/s',
};
const TEXTS = {
  'agentConfig.imageCredentialProviderConfigMap': {
    'credential-config.yaml': '',
    'credential-provider-binaries': '/bin',
  },
  'agentConfig.resolvConf': { 'resolv.conf': 'nameserver 1.1.1.1' },
  auditPolicySecret: { 'audit-policy.yaml': '' },
  cloudProviderConfigMap: { 'cloud-config': '' },
  'etcd.backupConfig.s3.s3CredentialSecret': { aws_access_key_id: 'a', aws_secret_access_key: 'b' },
  'etcd.backupConfig.s3.endpointCAsecret': { 'ca.pem': '' },
  'secretsEncryption.encryptionKeySecret': { encryptionKey: 'k' },
  externalDatastoreSecret: { endpoint: 'e', 'ca.pem': '', 'cert.pem': '', 'key.pem': '' },
};
const SERVER = initInput(
  { agentConfig: { ...AGENT } as never },
  {
    bindAddress: '0.0.0.0',
    advertiseAddress: '10.0.0.1',
    tlsSan: ['a'],
    serviceNodePortRange: '1-2',
    clusterDNS: '10.43.0.10',
    clusterDomain: 'example.local',
    disableComponents: {
      kubernetesComponents: ['scheduler', 'kubeProxy', 'cloudController'],
      pluginComponents: ['rke2-coredns'],
    },
    cni: 'canal',
    ingressController: ['traefik'],
    pauseImage: 'image',
    etcd: { exposeMetrics: true, backupConfig: { ...BACKUP, s3: S3 }, customConfig: component },
    secretsEncryption: { provider: 'aescbc' },
    kubeAPIServer: component,
    kubeControllerManager: component,
    kubeScheduler: component,
    cloudControllerManager: component,
    cloudProviderName: 'external',
    supervisorMetrics: true,
    embeddedRegistry: true,
  },
  { resolved: TEXTS },
);
const WORKER = workerInput(
  { agentConfig: { ...AGENT, systemDefaultRegistry: undefined } as never },
  { resolved: TEXTS, cloudProviderName: 'external' },
);

const keysOf = (input: Rke2Input): string[] => {
  const file = rke2Setup(input).files.find(({ path }) => path === '/etc/rancher/rke2/config.yaml');
  return Object.keys(parse(file?.content ?? ''));
};

describe('config.yaml', () => {
  it.each([
    { type: 'server' as const, input: SERVER, least: 65 },
    { type: 'agent' as const, input: WORKER, least: 20 },
  ])('has only keys that `rke2 $type` knows', ({ type, input, least }) => {
    const keys = keysOf(input);
    expect(keys.length).toBeGreaterThan(least);
    expect(unknownKeys(type, keys)).toEqual([]);
    expect(unknownKeys('agent', keysOf(SERVER))).toContain('tls-san');
  });
});
