import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { CoreV1Api, KubeConfig, type V1Node } from '@kubernetes/client-node';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { issueKubeconfig } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';
import { systemClock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { ignitionStub } from '../../../shared/providers/aws/plan/delivery/ignition.ts';
import { planDelivery } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { systemRandom } from '../../../shared/random.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { createFleetOver, type Fleet } from './fleet.ts';
import type { Cloud, DataPlane, Instance, InstanceState, Remote, SecretChunks } from './ports.ts';

/** For tests: an account with one cluster, without AWS, and a load balancer that really listens. */
export interface TestWorld {
  fleet: Fleet;
  certificates: ClusterCertificates;
  /** The address of the load balancer. */
  endpoint: { host: string; port: number };
  secrets: Map<string, Uint8Array>;
  /** The contents that machines can fetch, by their addresses. */
  remote: Map<string, string>;
  /** Launches an instance; returns its id. */
  launch(userData: string, options?: { imageName?: string }): string;
  setState(id: string, state: InstanceState): void;
  /** Puts the instance in service, as its Auto Scaling group would. */
  putInService(id: string): void;
  /** A client of the cluster with an administrator's certificate. */
  admin(): Promise<{ api: CoreV1Api; config: KubeConfig }>;
  nodes(): Promise<V1Node[]>;
  close(): Promise<void>;
}

const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };

/** Forwards each connection to one of the registered targets, in turn. */
const makeLoadBalancer = async () => {
  const targets = new Map<string, { host: string; port: number }>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    const all = [...targets.values()];
    turn += 1;
    const target = all[turn % Math.max(all.length, 1)];
    sockets.add(client);
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    if (!target) return client.destroy();
    const upstream = connect(target);
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dataPlane: DataPlane = {
    serve: (id, port, address) => void (port === 6443 && targets.set(id, address)),
    withdraw: (id) => void targets.delete(id),
  };
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { dataPlane, port: (server.address() as AddressInfo).port, close };
};

interface Kept {
  instance: Instance;
  state: InstanceState;
  userData: string;
  imageName: string;
}

const makeCloud = () => {
  const kept = new Map<string, Kept>();
  const inService = new Set<string>();
  const cloud: Cloud = {
    instances: async () => [...kept.values()],
    userData: async (id) => kept.get(id)?.userData,
    imageName: async (imageId) => [...kept.values()].find(({ instance }) => instance.imageId === imageId)?.imageName,
    isInService: async (id) => inService.has(id),
  };
  const launch = (userData: string, imageName: string): string => {
    const number = kept.size + 10;
    const id = `i-${String(number).padStart(17, '0')}`;
    const instance: Instance = {
      id,
      region: 'us-east-1',
      vpcId: 'vpc-1',
      availabilityZone: 'us-east-1a',
      imageId: `ami-${number}`,
      instanceType: 't3.large',
      privateIp: `10.0.0.${number}`,
      privateDnsName: `ip-10-0-0-${number}.ec2.internal`,
    };
    kept.set(id, { instance, state: 'running', userData, imageName });
    return id;
  };
  return { cloud, launch, kept, inService };
};

const makeSecrets = (kept: Map<string, Uint8Array>): SecretChunks => ({
  read: async (id) => {
    const value = kept.get(id);
    if (!value) throw Object.assign(new Error('no such secret'), { name: 'ResourceNotFoundException' });
    return value;
  },
  remove: async (id) => void kept.delete(id),
});

const makeRemote = (kept: ReadonlyMap<string, string>): Remote => ({
  fetch: async (url) => {
    const text = kept.get(url);
    if (text === undefined) throw Object.assign(new Error('no such key'), { name: 'NoSuchKey' });
    return Buffer.from(text, 'utf8');
  },
});

export const createTestWorld = async ({ bootMilliseconds = 0 } = {}): Promise<TestWorld> => {
  const [certificates, balancer] = await Promise.all([
    generateClusterCertificates({ algorithm: 'ECDSA-P256', ...dependencies }),
    makeLoadBalancer(),
  ]);
  const { cloud, launch, kept, inService } = makeCloud();
  const secrets = new Map<string, Uint8Array>();
  const remote = new Map<string, string>();
  const fleet = createFleetOver(
    cloud,
    { secrets: makeSecrets(secrets), remote: makeRemote(remote) },
    {
      clock: systemClock,
      random: systemRandom,
      dataPlane: balancer.dataPlane,
      bootMilliseconds,
      log: silentLog,
      pollMilliseconds: 20,
      retryMilliseconds: 50,
    },
  );
  const stop = new AbortController();
  const following = fleet.run(stop.signal);
  const endpoint = { host: '127.0.0.1', port: balancer.port };
  const admin = async () => {
    const server = `https://${endpoint.host}:${endpoint.port}`;
    const config = new KubeConfig();
    const { ca } = certificates;
    config.loadFromString(
      await issueKubeconfig({ clusterName: 'demo', server, ca, algorithm: 'ECDSA-P256' }, dependencies),
    );
    return { api: config.makeApiClient(CoreV1Api), config };
  };
  let client: CoreV1Api | undefined;
  return {
    fleet,
    certificates,
    endpoint,
    secrets,
    remote,
    launch: (userData, { imageName = 'capa-ami-ubuntu-24.04-v1.34.0-1700000000' } = {}) => launch(userData, imageName),
    setState: (id, state) => {
      const found = kept.get(id);
      if (found) found.state = state;
    },
    putInService: (id) => void inService.add(id),
    admin,
    nodes: async () => {
      client ??= (await admin()).api;
      return (await client.listNode()).items;
    },
    close: async () => {
      stop.abort();
      await following;
      await fleet.close();
      await balancer.close();
    },
  };
};

/** The tokens that the first machine of `userDataOf` creates; others are invalid. */
export const TOKENS = ['aaaaaa.0123456789abcdef', 'bbbbbb.0123456789abcdef', 'cccccc.0123456789abcdef'] as const;

const NODE_REGISTRATION = {
  name: '{{ ds.meta_data.local_hostname }}',
  kubeletExtraArgs: [
    { name: 'provider-id', value: 'aws:///{{ v1.availability_zone }}/{{ v1.instance_id }}' },
    { name: 'node-labels', value: 'example.com/pool=blue' },
  ],
};

/** Bootstrap data as the control plane renders it, for the cluster of a world. */
export const bodyFor = (
  world: TestWorld,
  role: 'init' | 'control-plane' | 'worker',
  token: string = TOKENS[0],
  more: { install?: string; joinsInService?: boolean } = {},
): string => {
  const { certificates, endpoint } = world;
  const cluster = { name: 'demo', endpoint, version: 'v1.34.0', serviceCidrs: ['10.96.0.0/12'] };
  // Short timeouts, so that a test with a machine that cannot join ends.
  const timeouts = { discoverySeconds: 2, kubernetesAPICallSeconds: 2, controlPlaneComponentHealthCheckSeconds: 2 };
  const spec = {
    initConfiguration: { nodeRegistration: NODE_REGISTRATION, timeouts },
    joinConfiguration: { nodeRegistration: NODE_REGISTRATION, timeouts },
  };
  const common = { cluster, spec, ...more };
  const inputs: Record<typeof role, BootstrapInput> = {
    init: { ...common, role: 'init', certificates, tokens: TOKENS.map((each) => ({ token: each, description: each })) },
    'control-plane': { ...common, role: 'control-plane', certificates, token },
    worker: { ...common, role: 'worker', caCertificatePem: certificates.ca.certificatePem, token },
  };
  return renderBootstrapData(inputs[role]).body;
};

/** User data that contains the body itself. */
export const plainUserData = (body: string): string =>
  planDelivery({ body, mode: 'plain', secretPrefix: '', region: 'us-east-1', compress: true }).userData;

/** User data that fetches the body from the world's secrets. */
export const secretUserData = ({ secrets }: TestWorld, body: string): string => {
  const secretPrefix = `aws.cluster.x-k8s.io/${secrets.size}`;
  const delivery = planDelivery({ body, mode: 'secrets-manager', secretPrefix, region: 'us-east-1' });
  for (const { name, data } of delivery.secrets) secrets.set(name, data);
  return delivery.userData;
};

export const FLATCAR = { imageName: 'capa-ami-flatcar-stable-v1.34.0-1700000000' };

/** User data of a worker on Flatcar, which fetches its Ignition config from the world. */
export const flatcarUserData = (world: TestWorld, token: string): string => {
  const { certificates, endpoint, remote } = world;
  const name = `\${COREOS_EC2_HOSTNAME}`;
  const providerId = `aws:///\${COREOS_EC2_AVAILABILITY_ZONE}/\${COREOS_EC2_INSTANCE_ID}`;
  const kubeletExtraArgs = [
    { name: 'provider-id', value: providerId },
    { name: 'node-labels', value: 'example.com/pool=blue' },
  ];
  const additionalConfig = `systemd:
  units:
  - name: kubeadm.service
    dropins:
    - name: 10-flatcar.conf
      contents: "[Unit]\\nRequires=coreos-metadata.service\\nAfter=coreos-metadata.service\\n[Service]\\nEnvironmentFile=/run/metadata/*\\n"
`;
  const { body } = renderBootstrapData(
    {
      role: 'worker',
      cluster: { name: 'demo', endpoint, version: 'v1.34.0' },
      caCertificatePem: certificates.ca.certificatePem,
      token,
      spec: {
        format: 'ignition',
        joinConfiguration: { nodeRegistration: { name, kubeletExtraArgs } },
        preKubeadmCommands: ['envsubst < /etc/kubeadm.yml > /etc/kubeadm.new', 'mv /etc/kubeadm.new /etc/kubeadm.yml'],
        ignition: { containerLinuxConfig: { additionalConfig } },
      },
    },
    { ignitionVersion: '3.4' },
  );
  remote.set('s3://bucket/node/worker', body);
  return ignitionStub('s3://bucket/node/worker', { ignition: { version: '3.4' } });
};

/** Waits until `check` returns a truthy value; throws the text of `describe` if that never happens. */
export const eventually = async <T>(
  check: () => Promise<T | undefined | false>,
  describe: () => string,
): Promise<T> => {
  let last: unknown;
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (Date.now() < end) {
    try {
      const value = await check();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    await systemClock.sleep(50);
  }
  throw new Error(`not in time: ${describe()} ${last ?? ''}`);
};
