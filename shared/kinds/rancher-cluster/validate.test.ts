import { describe, expect, it } from 'vitest';
import { refusals } from '../test-admission.ts';
import { secretsNamedIn } from './config-text.ts';
import { rancherCluster } from './definition.ts';
import type { RancherCluster } from './schema.ts';
import { validateRancherCluster } from './validate.ts';

const cluster = (config: string, name = 'demo', more: object = {}): RancherCluster => ({
  apiVersion: 'clusterprovisioner.rke.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: { config, ...more },
});

const KEY = 'nodes: [{address: 10.0.0.1, ssh_key: "-----BEGIN OPENSSH PRIVATE KEY-----\\nc2VjcmV0"}]';

describe('a Cluster of Rancher’s group', () => {
  it.each([KEY, 'private_registries: [{url: a, password: c2VjcmV0}]', 'bastion_host: {ssh_key: c2VjcmV0}'])(
    'is refused with a secret in its configuration, and the refusal does not repeat the secret: %s',
    (config) => {
      const [refusal] = refusals(rancherCluster, cluster(config));
      expect(refusal).toMatch(/^spec\.config: Forbidden: \S+(ssh_key|password): a Cluster is not a Secret/);
      expect(refusal).not.toContain('c2VjcmV0');
    },
  );

  it('is refused with a private key in text that is not YAML', () => {
    const config = 'ssh_key: [\n-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0';
    expect(refusals(rancherCluster, cluster(config))).toEqual([
      expect.stringMatching(/^spec\.config: Forbidden: has a private key: a Cluster is not a Secret/),
    ]);
  });

  it('may keep a stored secret, but not get another one', () => {
    expect(validateRancherCluster(cluster(KEY), cluster(KEY))).toEqual([]);
    expect(validateRancherCluster(cluster(`${KEY}\n`), cluster(KEY))).toHaveLength(1);
  });

  it('cannot refer to a file', () => {
    expect(refusals(rancherCluster, cluster('nodes: []', 'demo', { configPath: '/cluster.yml' }))).toEqual([
      'spec.configPath: Forbidden: files are not read: put the content of cluster.yml into spec.config',
    ]);
  });

  it.each(['a.b', 'x'.repeat(60)])('is refused with a name that cannot be a part of a namespace: %s', (name) => {
    expect(refusals(rancherCluster, cluster('nodes: []', name))[0]).toContain('becomes a namespace');
  });

  it('is stored even if its configuration is otherwise invalid', () => {
    for (const config of ['nodes: [', 'text', 'nodes: [{role: [master]}]'])
      expect(refusals(rancherCluster, cluster(config))).toEqual([]);
  });

  it('finds the Secret of every ssh_key_path, each once', () => {
    const config =
      'ssh_key_path: a/b\nnodes: [{ssh_key_path: c/d}, {ssh_key_path: a/b}, {ssh_key_path: ~/.ssh/id}]\nelse: {ssh_key_path: e/f}';
    expect(secretsNamedIn(config).map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(['a/b', 'c/d', 'e/f']);
  });
});
