/** One worker Machine with its objects in memory, over a simulated account, in its default VPC. */

import { setImmediate } from 'node:timers/promises';
import {
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { createCapacityMemory } from '../../functions/providers/aws/instance/capacity-memory.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { type Account, createAccount } from '../../infra/local/account.ts';
import { startAws } from '../../infra/local/aws.ts';
import { createDataPlane } from '../../infra/local/engines/elbv2/data-plane.ts';
import { directTo } from '../../infra/local/engines/wire/direct.ts';
import type { ClientOptions } from '../../shared/aws/clients/options.ts';
import { type AWSMachine, KINDS } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { BootstrapSecrets } from '../../shared/providers/aws/api/bootstrap-secrets.ts';
import { createEc2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import type { Records } from '../../shared/store/records/records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import type { TestDatabase } from '../../shared/store/test-table.ts';
import { createWorkStore } from '../../shared/store/work/work-store.ts';
import type { MachineInput } from '../../shared/work/payloads.ts';
import { makeVirtualClock, type VirtualClock } from '../cluster-infrastructure/world.ts';

export interface MachineWorld {
  account: Account;
  client: EC2Client;
  /** What a client needs that makes the SDK's three attempts for each call, like those of the functions. */
  connection: Pick<ClientOptions, 'endpoint' | 'region' | 'credentials' | 'requestHandler'>;
  clock: VirtualClock;
  dependencies: ScopedInstanceDependencies;
  input: MachineInput;
  /** The names of the bootstrap secrets that exist. */
  secrets: Map<string, Uint8Array>;
  /** The bootstrap data in S3, by `bucket/key`. */
  bucket: Map<string, string>;
  /** The controllers' objects without their records, and the records. */
  stored: ObjectClient;
  records: Records;
  /** The objects as other programs write them. */
  as(manager: string): ObjectClient;
  /** Ids of the instances that are not terminated. */
  liveInstances(): Promise<string[]>;
  close(): Promise<void>;
}

const meta = (name: string) => ({ name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });

type Spec = Partial<AWSMachine['spec']>;

interface Network {
  subnets: { id: string; resourceID: string; availabilityZone: string; isPublic: boolean }[];
  group: string;
}

const objectsOf = (network: Network, spec: Spec): KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: meta('m-1'),
    data: { value: Buffer.from('#cloud-config\n').toString('base64') },
  } as KubeObject,
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  } as KubeObject,
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: meta('red'),
    spec: {
      region: 'us-east-1',
      sshKeyName: '',
      network: { subnets: network.subnets },
    },
    status: {
      ready: true,
      networkStatus: {
        securityGroups: { node: { id: network.group, name: 'n' }, lb: { id: network.group, name: 'l' } },
      },
    },
  } as KubeObject,
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { ...meta('m-1'), finalizers: ['awsmachine.infrastructure.cluster.x-k8s.io'] },
    spec: { instanceType: 't3.large', ...spec },
  } as KubeObject,
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...meta('m-1'), finalizers: ['machine.cluster.x-k8s.io'] },
    spec: {
      clusterName: 'red',
      version: 'v1.34.0',
      bootstrap: { dataSecretName: 'm-1' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm-1' },
    },
  } as KubeObject,
];

const fakeSecrets = (secrets: Map<string, Uint8Array>): BootstrapSecrets => ({
  create: async ({ name, data }) => void secrets.set(name, data),
  delete: async (name) => {
    secrets.delete(name);
    return 'gone';
  },
});

/** The account's default VPC, of whose subnets the cluster knows this many. */
const defaultNetwork = async (client: EC2Client, zones: number, isPublic: boolean): Promise<Network> => {
  const { Subnets = [] } = await client.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups = [] } = await client.send(new DescribeSecurityGroupsCommand({}));
  const subnets = Subnets.slice(0, zones).map(({ SubnetId = '', AvailabilityZone = '' }) => ({
    id: SubnetId,
    resourceID: SubnetId,
    availabilityZone: AvailabilityZone,
    isPublic,
  }));
  return { subnets, group: SecurityGroups[0]?.GroupId ?? '' };
};

/** The worlds of a test file share `database`; each has its own table. `spec` is that of the AWSMachine. */
export const startMachineWorld = async (database: TestDatabase, zones = 1, spec: Spec = {}): Promise<MachineWorld> => {
  const clock = makeVirtualClock();
  const account = createAccount({ clock, random: systemRandom });
  const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
  const connection = {
    endpoint: aws.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: directTo(aws.server, setImmediate),
  };
  const client = new EC2Client({ ...connection, maxAttempts: 1 });
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const stored = createObjectClient(registry);
  const records = createMemoryRecords();
  const objects = withMemory(stored, records);
  const made = new Map<string, KubeObject>();
  for (const object of objectsOf(await defaultNetwork(client, zones, spec.publicIP === true), spec)) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (resource) made.set(object.kind, (await objects.ensure(resource, object)).object);
  }
  const uidOf = (kind: string) => made.get(kind)?.metadata.uid ?? '';
  const machine = {
    namespace: 'default',
    name: 'm-1',
    uid: uidOf('Machine'),
    clusterName: 'red',
    clusterUid: uidOf('Cluster'),
  };
  const input = { machine, holder: `${machine.uid}-1` };
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  await work.beginMachine(machine, input.holder, 1_000_000);
  const secrets = new Map<string, Uint8Array>();
  const bucket = new Map<string, string>();
  const ec2 = createEc2Instances(client, client);
  const launchSources = {
    imageParameters: { imageId: async () => '' },
    capacity: createCapacityMemory(),
    waits: { end: async () => {} },
  };
  const stores = { bootstrapSecrets: fakeSecrets(secrets), bootstrapObjects: fakeBootstrapObjects(bucket) };
  return {
    account,
    client,
    connection,
    clock,
    input,
    secrets,
    bucket,
    stored,
    records,
    as: (manager) => createObjectClient(registry, manager),
    dependencies: {
      objects,
      work,
      clock,
      random: systemRandom,
      instanceProfiles: DEFAULT_INSTANCE_PROFILES,
      touch: async () => {},
      scopeOf: controllerScopeOf,
      ec2: () => ec2,
      stores: () => stores,
      launches: () => launchSources,
    },
    liveInstances: async () => {
      const { Reservations = [] } = await client.send(new DescribeInstancesCommand({}));
      const all = Reservations.flatMap(({ Instances }) => Instances ?? []);
      return all.filter(({ State }) => State?.Name !== 'terminated').map(({ InstanceId }) => InstanceId ?? '');
    },
    close: async () => {
      client.destroy();
      await aws.close();
    },
  };
};
