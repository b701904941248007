import { afterEach, expect, it } from 'vitest';
import { generateAuthority } from '../../../../shared/bootstrap/certificates/authority.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { systemClock } from '../../../../shared/clock.ts';
import { silentLog } from '../../../../shared/log.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { makeBootLog } from '../boot-log.ts';
import type { MachineContext, ServiceRecord } from '../kubeadm/machine-context.ts';
import { makeFileSystem } from '../user-data/file-system.ts';
import { node } from '../workload-cluster/kinds.ts';
import { makeKubelet } from '../workload-cluster/kubelet.ts';
import { type ClusterRegistry, makeClusterRegistry } from '../workload-cluster/registry.ts';
import { parseRke2Config } from './config.ts';
import { type Rke2ServerData, rke2Server } from './serve.ts';
import { runServer } from './server.ts';

const VERSION = 'v1.34.2+rke2r1';
const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };

const stop = new AbortController();
const running: Promise<void>[] = [];
afterEach(async () => {
  stop.abort();
  await Promise.all(running);
});

const makeMachine = (number: number, clusters: ClusterRegistry) => {
  const ports = new Map<number, number>();
  const machine = {
    ...dependencies,
    clusters,
    log: silentLog,
    files: makeFileSystem(),
    bootLog: makeBootLog(systemClock),
    signal: stop.signal,
    retryMilliseconds: 20,
    instance: { id: `i-${number}`, privateIp: `10.0.0.${number}`, privateDnsName: `ip-10-0-0-${number}.ec2.internal` },
    dataPlane: {
      serve: (_id: string, port: number, at: { port: number }) => ports.set(port, at.port),
      withdraw: () => {},
    },
    start: ({ kind, data }: ServiceRecord) =>
      new Promise<void>((ready) => {
        if (kind === 'rke2-server') running.push(rke2Server(context, data as Rke2ServerData)(stop.signal, ready));
        else
          running.push(makeKubelet({ ...context, ...(data as Parameters<typeof makeKubelet>[0]) })(stop.signal, ready));
      }),
    resumed: () => undefined,
    holds: () => {},
  };
  const context = machine as unknown as MachineContext;
  return { machine: context, ports };
};

const place = ({ files }: MachineContext, name: string, pair: PemPair): void => {
  files.write(`/var/lib/rancher/rke2/server/tls/${name}.crt`, pair.certificatePem);
  files.write(`/var/lib/rancher/rke2/server/tls/${name}.key`, pair.privateKeyPem);
};

it('creates a cluster with the authorities on the first disk, and admits a second server', async () => {
  const clusters = makeClusterRegistry(async () => []);
  const first = makeMachine(1, clusters);
  for (const name of ['server-ca', 'client-ca', 'etcd/server-ca', 'etcd/peer-ca']) {
    place(first.machine, name, await generateAuthority({ algorithm: 'ECDSA-P256', ...dependencies }));
  }
  let uid = '';
  const add = clusters.add;
  clusters.add = (cluster) => {
    uid = cluster.uid;
    add(cluster);
  };
  await runServer(first.machine, parseRke2Config('token: secret\n'), VERSION);

  const second = makeMachine(2, clusters);
  const at = `server: https://127.0.0.1:${first.ports.get(9345)}\n`;
  await expect(runServer(second.machine, parseRke2Config(`${at}token: wrong\n`), VERSION)).rejects.toThrow('401');
  expect(clusters.find(uid)?.etcd.names()).toEqual(['ip-10-0-0-1']);
  await runServer(second.machine, parseRke2Config(`${at}token: secret\n`), VERSION);

  const workload = clusters.find(uid);
  expect(workload?.etcd.names()).toEqual(['ip-10-0-0-1', 'ip-10-0-0-2']);
  const nodes = (await workload?.objects.list(node)) ?? [];
  expect(nodes.map(({ metadata, spec }) => [metadata.name, spec?.providerID])).toEqual([
    ['ip-10-0-0-1', 'rke2://ip-10-0-0-1'],
    ['ip-10-0-0-2', 'rke2://ip-10-0-0-2'],
  ]);
  expect(nodes.every(({ metadata }) => metadata.labels?.['node-role.kubernetes.io/etcd'] === 'true')).toBe(true);
  clusters.closeAll();
});
