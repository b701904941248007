import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { isProblems, readRancherConfig } from './config.ts';
import { ALL_ROLES, aNode } from './test-config.ts';

const read = (yml: object) => readRancherConfig(stringify(yml), 'demo');
const problemsOf = (yml: object) => {
  const found = read(yml);
  return isProblems(found) ? found.map(({ field, message }) => `${field}: ${message}`) : [];
};

describe('a cluster.yml', () => {
  it('applies the defaults of RKE to its nodes', () => {
    const own = { ...aNode(2, ['worker']), ssh_key_path: 'team/other', port: '2222' };
    const { ssh_key_path: _, ...without } = aNode(1);
    expect(read({ ssh_key_path: 'default/key', nodes: [without, own] })).toMatchObject({
      version: undefined,
      nodes: [
        {
          ...{ field: 'nodes[0]', address: '10.0.0.1', port: 22, user: 'admin' },
          ...{ isControlPlane: true, isWorker: true, secret: { namespace: 'default', name: 'key' } },
          secretField: 'ssh_key_path',
        },
        {
          ...{ port: 2222, isControlPlane: false, isWorker: true, secret: { namespace: 'team', name: 'other' } },
          secretField: 'nodes[1].ssh_key_path',
        },
      ],
    });
  });

  it('may contain everything that rke config writes by default', () => {
    const yml = {
      nodes: [
        {
          ...aNode(1),
          hostname_override: '',
          ssh_cert: '',
          labels: {},
          taints: [],
          docker_socket: '/var/run/docker.sock',
        },
      ],
      ...{ cluster_name: '', addons: '', addons_include: [], ignore_docker_version: false, addon_job_timeout: 0 },
      ...{ prefix_path: '', private_registries: [], system_images: { etcd: 'rancher/mirrored-coreos-etcd:v3.5.9' } },
      services: { etcd: { external_urls: [], snapshot: null }, 'kube-api': { pod_security_policy: false } },
      authorization: { mode: 'rbac', options: {} },
      bastion_host: { address: '', port: '', user: '', ssh_key: '', ssh_key_path: '' },
    };
    expect(problemsOf(yml)).toEqual([]);
  });

  it('keeps the flags that a user has set, whatever their values', () => {
    const flags = { profiling: false, 'read-only-port': 0, 'feature-gates': '', 'max-pods': 50, v: null };
    const services = { kubelet: { extra_args: flags }, scheduler: { extra_args: {} } };
    const found = read({ nodes: [aNode(1)], services });
    if (isProblems(found)) throw new Error('it has problems');
    expect(found.yml.services).toEqual({
      kubelet: { extra_args: { profiling: 'false', 'read-only-port': '0', 'feature-gates': '', 'max-pods': '50' } },
    });
  });

  it.each([
    [{}, ['nodes: is required: a cluster has at least one node']],
    [
      { nodes: [aNode(1, ['worker'])] },
      ['nodes: has no node with the role controlplane: a cluster needs at least one'],
    ],
    [
      { nodes: [aNode(1, ['master'])] },
      ['nodes[0].role[0]: "master" is not a role: must be one of controlplane, etcd, worker'],
    ],
    [{ nodes: [aNode(1, [])] }, ['nodes[0].role: is required: one or more of controlplane, etcd, worker']],
    [
      { nodes: [aNode(1), aNode(2, ['etcd'])] },
      ['nodes[1].role: must have controlplane and etcd together: RKE2 runs etcd on control plane nodes'],
    ],
    [
      { nodes: [aNode(1), aNode(2, ['controlplane', 'etcd'])] },
      ['nodes[1].role: must have worker too, as the first node of the control plane: all of them are configured alike'],
    ],
    [{ nodes: [aNode(1), aNode(1, ['worker'])] }, ['nodes[1].address: is the address of nodes[0] as well']],
    [
      { nodes: [{ role: ALL_ROLES, port: 'ssh', address: 'a b' }] },
      [
        'nodes[0].address: must be an IP address or a DNS name',
        'nodes[0].port: must be a number from 1 to 65535',
        'nodes[0].user: is required',
        'nodes[0].ssh_key_path: is required: name a Secret with the private key of the user, as <namespace>/<name>',
      ],
    ],
    [
      { nodes: [{ ...aNode(1), ssh_key_path: '~/.ssh/id_rsa' }] },
      [
        'nodes[0].ssh_key_path: must name a Secret as <namespace>/<name>: files are not read, so put the private key into a Secret',
      ],
    ],
    [
      { kubernetes_version: 'v1.32.7-rancher1-1', nodes: [aNode(1)] },
      ['kubernetes_version: must be a release of RKE2, such as v1.34.2+rke2r1'],
    ],
    [
      { addons: 'kind: Pod', dns: { provider: 'coredns' }, nodes: [{ ...aNode(1), labels: { a: 'b' } }] },
      [
        'nodes[0].labels: is not supported: leave it out',
        'addons: is not supported: leave it out',
        'dns: is not supported: leave it out',
      ],
    ],
    [
      { network: { plugin: 'flannel' }, nodes: [aNode(1)] },
      ['network.plugin: must be one of canal, calico, cilium, none'],
    ],
    [
      { cluster_name: 'other', nodes: [aNode(1)] },
      ['cluster_name: must be the name of the Cluster, demo, or be left out'],
    ],
  ])('is refused with the fields that are wrong: %j', (yml, problems) => {
    expect(problemsOf(yml)).toEqual(problems);
  });

  it.each(['- a', 'a: [', 'text', ''])('is refused if it is not an object: %j', (text) => {
    expect(readRancherConfig(text, 'demo')).toEqual([
      { field: '', message: 'is not a cluster.yml: it must be an object in YAML' },
    ]);
  });
});
