import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cloudConfig } from '../cloud-init/cloud-config.ts';
import { initInput, serverInput, workerInput } from './fixtures.ts';
import type { Rke2Input } from './input.ts';
import { rke2Setup } from './setup.ts';

const fileOf = (input: Rke2Input, path: string): string | undefined =>
  rke2Setup(input).files.find((file) => file.path === path)?.content;

const configOf = (input: Rke2Input): unknown => parse(fileOf(input, '/etc/rancher/rke2/config.yaml') ?? '');

const pathsOf = (input: Rke2Input): string[] => rke2Setup(input).files.map(({ path }) => path);

describe('the setup of an RKE2 machine', () => {
  it('gives the first server the authorities of the cluster', () => {
    const input = initInput(
      { agentConfig: { kubelet: { extraArgs: ['provider-id=aws:///a/i-1'] } } },
      { cni: 'cilium' },
    );
    expect(configOf(input)).toEqual({
      'kubelet-arg': ['provider-id=aws:///a/i-1'],
      cni: ['cilium'],
      'cluster-cidr': '10.42.0.0/16',
      'service-cidr': '10.43.0.0/16',
      'tls-san': ['demo.example.com'],
      token: 'server-token',
      'agent-token': 'agent-token',
    });
    expect(pathsOf(input).slice(0, 8)).toEqual(
      ['server-ca', 'client-ca', 'etcd/peer-ca', 'etcd/server-ca'].flatMap((name) => [
        `/var/lib/rancher/rke2/server/tls/${name}.crt`,
        `/var/lib/rancher/rke2/server/tls/${name}.key`,
      ]),
    );
    const keys = rke2Setup(input).files.filter(({ path }) => path.endsWith('.key'));
    expect(keys.map(({ permissions, owner }) => `${permissions} ${owner}`)).toEqual(Array(4).fill('0600 root:root'));
  });

  it('gives a further server the token and the registration address, but no key, because it gets the keys from the first', () => {
    const input = serverInput();
    expect(configOf(input)).toMatchObject({ server: 'https://demo.example.com:9345', token: 'server-token' });
    expect(pathsOf(input).filter((path) => path.includes('/tls/'))).toEqual([]);
  });

  it("gives a worker none of the servers' secrets", () => {
    const input = workerInput({}, { cloudProviderName: 'external' });
    expect(configOf(input)).toEqual({
      server: 'https://demo.example.com:9345',
      token: 'worker-token',
      'cloud-provider-name': 'external',
    });
    expect(JSON.stringify(rke2Setup(input))).not.toMatch(/server-token|agent-token|ca key/);
  });

  it('installs the version, starts the service, and only then reports success', () => {
    const commands = (input: Rke2Input) => rke2Setup(input).commands;
    const agentConfig = { airGapped: true, airGappedChecksum: 'a'.repeat(64) };
    expect(commands(initInput({ preRKE2Commands: ['before'], postRKE2Commands: ['after'] }))).toEqual([
      'before',
      'bash /run/cluster-api/rke2-until-done.sh server v1.34.2+rke2r1 && echo success > /run/cluster-api/bootstrap-success.complete',
      'after',
    ]);
    expect(commands(workerInput({ agentConfig }))[0]).toContain(
      `rke2-until-done.sh agent v1.34.2+rke2r1 air-gapped ${'a'.repeat(64)} &&`,
    );
  });

  it('puts the authorities and the manifests into the data folder', () => {
    const input = initInput({ agentConfig: { dataDir: '/data' } }, {}, { manifests: { 'ccm.yaml': 'kind: List' } });
    expect(fileOf(input, '/data/server/manifests/ccm.yaml')).toBe('kind: List');
    expect(fileOf(input, '/data/server/tls/client-ca.key')).toBe('client-ca key\n');
  });

  it('writes the settings of the components in the format of RKE2', () => {
    const component = { extraArgs: ['v=2'], extraEnv: { A: 'b' }, extraMounts: { '/a': '/b' }, overrideImage: 'i' };
    const config = configOf(
      initInput(
        {},
        {
          kubeAPIServer: component,
          cloudControllerManager: { extraArgs: ['v=3'] },
          disableComponents: { kubernetesComponents: ['kubeProxy'], pluginComponents: ['rke2-traefik'] },
          cniMultusEnable: true,
          cni: 'calico',
          etcd: { backupConfig: { disableAutomaticSnapshots: false, retention: '10' } },
        },
      ),
    );
    expect(config).toMatchObject({
      'kube-apiserver-arg': ['v=2'],
      'kube-apiserver-extra-env': ['A=b'],
      'kube-apiserver-extra-mount': ['/a:/b'],
      'kube-apiserver-image': 'i',
      'kube-cloud-controller-manager-arg': ['v=3'],
      'disable-kube-proxy': true,
      disable: ['rke2-traefik'],
      cni: ['multus', 'calico'],
      'etcd-disable-snapshots': false,
      'etcd-snapshot-retention': '10',
    });
    expect(config).not.toHaveProperty('cloud-controller-manager-arg');
    expect(config).not.toHaveProperty('disable-scheduler');
  });

  it('writes the registries, with a folder for the certificates of each', () => {
    const spec = {
      privateRegistriesConfig: {
        mirrors: { 'docker.io': { endpoint: ['https://a.example.com'] } },
        configs: {
          'a.example.com': { authSecret: { name: 'auth' }, tls: { tlsConfigSecret: { name: 'tls' } } },
          'b.example.com:5000': { tls: { insecureSkipVerify: true } },
        },
      },
    };
    const at = 'privateRegistriesConfig.configs.a.example.com';
    const resolved = {
      [`${at}.authSecret`]: { username: 'u', password: 'p' },
      [`${at}.tls.tlsConfigSecret`]: { 'ca.crt': 'the ca' },
    };
    const input = { ...workerInput(spec), resolved };
    expect(parse(fileOf(input, '/etc/rancher/rke2/registries.yaml') ?? '')).toEqual({
      mirrors: { 'docker.io': { endpoint: ['https://a.example.com'] } },
      configs: {
        'a.example.com': {
          auth: { username: 'u', password: 'p' },
          tls: { ca_file: '/etc/rancher/rke2/tls/a.example.com/ca.crt' },
        },
        'b.example.com:5000': { tls: { insecure_skip_verify: true } },
      },
    });
    expect(fileOf(input, '/etc/rancher/rke2/tls/a.example.com/ca.crt')).toBe('the ca');
    const { [`${at}.authSecret`]: _, ...rest } = resolved;
    const withoutPassword = { ...input, resolved: { ...rest, [`${at}.authSecret`]: { username: 'u' } } };
    expect(() => rke2Setup(withoutPassword)).toThrow(`spec.${at}.authSecret: the Secret needs`);
  });

  it('passes further modules to cloud-init, except those that would undo the bootstrap', () => {
    const additionalUserData = { config: 'disable_root: true\nruncmd: [evil]', data: { growpart: 'mode: auto' } };
    const text = cloudConfig(rke2Setup(workerInput({ agentConfig: { additionalUserData } })));
    const document = parse(text);
    expect(document).toMatchObject({ disable_root: true, growpart: { mode: 'auto' } });
    expect(document.runcmd).toHaveLength(1);
  });

  it.each([
    {
      field: 'spec.version',
      input: initInput({}, {}, { cluster: { ...initInput().cluster, version: 'v1.34.2' } }),
    },
    { field: 'spec.agentConfig.cisProfile', input: initInput({ agentConfig: { cisProfile: 'cis-1.6' } }) },
    {
      field: 'spec.agentConfig.airGappedChecksum',
      input: workerInput({ agentConfig: { airGapped: true, airGappedChecksum: '; rm -rf /' } }),
    },
    {
      field: 'spec.agentConfig.additionalUserData.config',
      input: workerInput({ agentConfig: { additionalUserData: { config: '- a list' } } }),
    },
  ])('refuses an invalid configuration and names $field', ({ field, input }) => {
    expect(() => rke2Setup(input)).toThrow(expect.objectContaining({ name: 'BootstrapInvalid', field }));
  });
});
