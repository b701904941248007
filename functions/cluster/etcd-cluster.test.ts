import { expect, it } from 'vitest';
import { kubeadm } from '../../shared/distributions/kubeadm/distribution.ts';
import { rke2 } from '../../shared/distributions/rke2/distribution.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { type PodCommand, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { etcdCluster } from './etcd-cluster.ts';
import { configsFor } from './etcd-configs.ts';

const machine = (name: string, kind: string): Machine =>
  ({
    metadata: { name, namespace: 'default' },
    spec: { bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind, name } } },
    status: { nodeRef: { name: `node-${name}` } },
  }) as Machine;

const config = (name: string, dataDir?: string, owner = name): BootstrapConfig => ({
  apiVersion: '',
  kind: '',
  metadata: {
    name,
    ownerReferences: [
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: owner, uid: owner, controller: true },
    ],
  },
  spec: { agentConfig: { dataDir } },
});

/** Queries the members on the nodes of machines, none of which responds. */
const query = async (distribution: typeof rke2, configs: BootstrapConfig[], names: string[]) => {
  const reads: string[] = [];
  const objects = {
    get: async (_kind: unknown, { name }: { name: string }) => {
      reads.push(name);
      return configs.find(({ metadata }) => metadata.name === name);
    },
  } as unknown as ObjectClient;
  const access = distribution.etcd?.({ spec: { agentConfig: { dataDir: '/new' }, kubeadmConfigSpec: {} } } as never);
  if (!access) throw new Error('no etcd');
  const machines = names.map((name) => machine(name, distribution.config.kind));
  const commands: PodCommand[] = [];
  const run = async (command: PodCommand) => {
    commands.push(command);
    return { code: 1, stdout: '', stderr: 'no' };
  };
  const nodes = [...names.map((name) => `node-${name}`), 'node-without-machine'];
  const etcd = etcdCluster({ access, run, configOf: configsFor(objects, access, distribution, machines) }, nodes);
  await expect(etcd.view()).rejects.toThrow(WorkloadUnreachableError);
  await expect(etcd.remove('1')).rejects.toThrow(WorkloadUnreachableError);
  const folderOf = ({ command }: PodCommand) => /^--cacert=(.*)\/[^/]+$/.exec(command[2] ?? '')?.[1];
  return { reads, folders: commands.slice(0, nodes.length).map(folderOf) };
};

it('queries each member of RKE2 with the certificates in the data folder of its machine', async () => {
  const configs = [config('moved', '/new'), config('former', '/old/'), config('first'), config('taken', '/x', 'other')];
  const { reads, folders } = await query(rke2, configs, ['moved', 'former', 'first', 'taken', 'bare']);
  expect(folders).toEqual([
    '/new/server/tls/etcd',
    '/old/server/tls/etcd',
    '/var/lib/rancher/rke2/server/tls/etcd',
    '/new/server/tls/etcd',
    '/new/server/tls/etcd',
    '/new/server/tls/etcd',
  ]);
  expect(reads).toEqual(['moved', 'former', 'first', 'taken', 'bare']);
});

it('reads no configuration for the members of kubeadm', async () => {
  const { reads, folders } = await query(kubeadm, [], ['a']);
  expect([reads, folders[0]]).toEqual([[], '/etc/kubernetes/pki/etcd']);
});
