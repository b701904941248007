/** Simulated hosts that stand for a user's existing computers, and are reached over SSH. */
import ssh2 from 'ssh2';
import type { Clock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Log } from '../../../shared/log.ts';
import { ZONE_LABEL } from '../../../shared/providers/hosts/names.ts';
import type { Random } from '../../../shared/random.ts';
import type { Instance } from '../machines/ports.ts';
import { makeClusterRegistry } from '../machines/workload-cluster/registry.ts';
import { makeComputer } from './computer.ts';
import { keyPair } from './key-pair.ts';
import { makeHostNetwork } from './network.ts';
import { listenSsh } from './ssh-server.ts';

export interface HostsOptions {
  /** The number of hosts, 1 to 99. */
  count: number;
  /** The first three numbers of their addresses; simulated load balancers use other addresses in 127.0.0.0/8. */
  subnet?: string;
  /** The time before a boot script begins, like the boot time of an instance. */
  bootMilliseconds: number;
  retryMilliseconds: number;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface Hosts {
  /** The Secret with the key of their user, and a Host for each, as a user would write them. */
  objects: readonly KubeObject[];
  /** Stops the hosts, and the clusters on them. */
  close(): Promise<void>;
}

const SUBNET = '127.0.66';
/** Ports below 1024 need root. */
const PORT = 2222;
const USER = 'admin';
const SECRET = 'hosts-key';
const RACKS = 3;

const hostAt = (subnet: string, index: number): Instance => ({
  id: `host-${index}`,
  region: '',
  vpcId: 'hosts',
  availabilityZone: `rack-${1 + ((index - 1) % RACKS)}`,
  imageId: '',
  instanceType: '',
  privateIp: `${subnet}.${index}`,
  privateDnsName: `host-${index}`,
});

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** `known`: the hosts with their keys, in the format known_hosts. */
const secretOf = (privateKey: string, known: readonly string[]): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SECRET, namespace: 'default' },
    type: 'kubernetes.io/ssh-auth',
    data: { 'ssh-privatekey': encoded(privateKey), known_hosts: encoded(known.map((line) => `${line}\n`).join('')) },
  }) as KubeObject;

const objectOf = ({ id, privateIp, availabilityZone }: Instance, hostKey: string) =>
  ({
    apiVersion: 'infrastructure.windlass.dev/v1alpha1',
    kind: 'Host',
    metadata: { name: id, namespace: 'default', labels: { [ZONE_LABEL]: availabilityZone } },
    spec: { address: privateIp, port: PORT, user: USER, hostKey: hostKey.trim(), secretRef: { name: SECRET } },
  }) satisfies KubeObject & { spec: object };

const parsed = (key: string) => {
  const found = ssh2.utils.parseKey(key);
  if (found instanceof Error) throw found;
  return found;
};

/** Starts the hosts, with new keys. If an address cannot be used, rejects with one line and the remedy. */
export const startHosts = async (options: HostsOptions): Promise<Hosts> => {
  const { count, subnet = SUBNET, log } = options;
  const hosts = Array.from({ length: count }, (_, index) => hostAt(subnet, index + 1));
  const addresses = new Map(hosts.map(({ id, privateIp }) => [id, privateIp]));
  const network = makeHostNetwork((id) => addresses.get(id) ?? '', options);
  const clusters = makeClusterRegistry(async () => []);
  const user = keyPair();
  const userKey = parsed(user.public);
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(closing.splice(0).map((end) => end()));
    network.close();
    clusters.closeAll();
  };
  const startHost = async (host: Instance) => {
    const key = keyPair();
    const computer = makeComputer({ ...options, host, network, clusters });
    closing.push(computer.close);
    const { privateIp: address } = host;
    const listening = { address, port: PORT, user: USER, userKey, computer, log };
    closing.push(await listenSsh({ ...listening, hostKey: key.private }));
    return objectOf(host, key.public);
  };
  try {
    const started: ReturnType<typeof objectOf>[] = [];
    for (const host of hosts) started.push(await startHost(host));
    const known = started.map(({ spec }) => `[${spec.address}]:${spec.port} ${spec.hostKey}`);
    return { objects: [secretOf(user.private, known), ...started], close };
  } catch (error) {
    await close();
    throw error;
  }
};
