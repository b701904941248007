/**
 * For tests: a cluster with a control plane machine and a worker, the real step functions, and an EC2 that counts
 * launches.
 */

import type { ClusterCertificates } from '../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { toSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { controllerReference } from '../../shared/plan/machines/desired.ts';
import type { BootstrapSecrets } from '../../shared/providers/aws/api/bootstrap-secrets.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { testClock } from '../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { makeObjectsSteps } from '../cluster/objects/steps.ts';
import { controllerScopeOf, type ScopeOf } from '../providers/aws/aws-scope.ts';
import { makeBootstrapDelivery } from '../providers/aws/bootstrap-remains.ts';
import { createCapacityMemory } from '../providers/aws/instance/capacity-memory.ts';
import { makeInstanceSteps } from '../providers/aws/instance/steps.ts';
import { makeMachineObjectsSteps } from './objects/steps.ts';

export const NOW = '2026-01-01T00:00:00Z';
export const MACHINES = ['cp-1', 'w-1'] as const;
export type MachineName = (typeof MACHINES)[number];

const ref = (group: string, kind: string, name: string) => ({ apiGroup: `${group}cluster.x-k8s.io`, kind, name });
const object = (group: string, kind: string, name: string, rest: object): KubeObject =>
  ({
    apiVersion: `${group}cluster.x-k8s.io/v1beta2`,
    kind,
    metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
    ...rest,
  }) as KubeObject;

const group = (name: string) => ({ id: `sg-${name}`, name });

const clusterObjects = (region: string): KubeObject[] => [
  object('', 'Cluster', 'red', {
    spec: {
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      infrastructureRef: ref('infrastructure.', 'AWSCluster', 'red'),
      controlPlaneRef: ref('controlplane.', 'KubeadmControlPlane', 'red'),
    },
  }),
  object('controlplane.', 'KubeadmControlPlane', 'red', {
    spec: {
      replicas: 1,
      version: 'v1.34.0',
      machineTemplate: { spec: { infrastructureRef: ref('infrastructure.', 'AWSMachineTemplate', 'red') } },
    },
  }),
  object('infrastructure.', 'AWSCluster', 'red', {
    spec: {
      region,
      network: { subnets: [{ id: 'private', resourceID: 'subnet-1', availabilityZone: 'us-east-1a' }] },
    },
    status: {
      ready: true,
      networkStatus: { securityGroups: { node: group('node'), lb: group('lb'), controlplane: group('controlplane') } },
    },
  }),
];

const machineObjects = (
  name: MachineName,
  owner: KubeObject,
  { cloudInit, ignition }: Pick<Options, 'cloudInit' | 'ignition'>,
): KubeObject[] => {
  const machine = object('', 'Machine', name, {
    spec: {
      clusterName: 'red',
      version: 'v1.34.0',
      bootstrap: { configRef: ref('bootstrap.', 'KubeadmConfig', name) },
      infrastructureRef: ref('infrastructure.', 'AWSMachine', name),
    },
  });
  if (name === 'cp-1') {
    machine.metadata.labels = { ...machine.metadata.labels, 'cluster.x-k8s.io/control-plane': '' };
    machine.metadata.ownerReferences = [controllerReference(owner)];
  }
  const spec = {
    instanceType: 't3.large',
    ami: { id: 'ami-1' },
    ...(cloudInit ? { cloudInit } : {}),
    ...(ignition ? { ignition } : {}),
  };
  return [
    machine,
    object('bootstrap.', 'KubeadmConfig', name, {}),
    object('infrastructure.', 'AWSMachine', name, { spec }),
  ];
};

interface Options {
  certificates: ClusterCertificates;
  /** `spec.cloudInit` of the AWSMachines. */
  cloudInit?: object;
  /** `spec.ignition` of the AWSMachines. */
  ignition?: object;
  bootstrapSecrets?: BootstrapSecrets;
  /** The region of the AWSCluster. */
  region?: string;
  scopeOf?: ScopeOf;
}

const fakeEc2 = (launched: { UserData?: string }[]) => ({
  run: async (input: { UserData?: string }) => {
    launched.push(input);
    return { InstanceId: `i-${launched.length}`, State: { Name: 'pending' as const } };
  },
  describeAll: async () => [],
  describe: async () => undefined,
  findByTag: async () => [],
  findByToken: async () => [],
  terminate: async () => {},
  images: async () => [{ ImageId: 'ami-1', RootDeviceName: '/dev/sda1' }],
  architecture: async () => 'x86_64',
  subnets: async () => [],
  securityGroups: async () => [],
  ownersOf: async () => new Map(),
  heldAddresses: async () => [],
  allocateAddress: async () => 'eipalloc-1',
  associateAddress: async () => {},
  releaseAddress: async () => {},
  freeInPool: async () => undefined,
  heldHosts: async () => [],
  allocateHost: async () => 'h-1',
  releaseHost: async () => undefined,
  describeVolumes: async () => [],
  claimVolumes: async () => {},
});

/** The world of one test. `provision` runs the steps of provision-machine in order, with its error handling. */
export const makeMachines = async ({ certificates, ...options }: Options) => {
  const clock = testClock(NOW);
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const launched: { UserData?: string }[] = [];
  const work = {
    extendMachine: async () => true,
    recordRemoval: async () => true,
    beginMachine: async () => ({ acquired: true }),
  } as never;
  const touch = async () => {};
  const bootstrapSecrets = options.bootstrapSecrets ?? { create: async () => {}, delete: async () => 'gone' as const };
  const stored = new Map<string, string>();
  const bootstrapObjects = fakeBootstrapObjects(stored);
  const stores = () => ({ bootstrapSecrets, bootstrapObjects });
  const launchSources = {
    imageParameters: { imageId: async () => 'ami-1' },
    capacity: createCapacityMemory(),
    waits: { end: async () => {} },
  };
  const launches = () => launchSources;
  const instanceProfiles = DEFAULT_INSTANCE_PROFILES;
  const scopeOf = options.scopeOf ?? controllerScopeOf;
  const common = {
    instanceProfiles,
    random: systemRandom,
    objects,
    work,
    touch,
    clock,
    scopeOf,
    stores,
    launches,
    deliveries: { aws: makeBootstrapDelivery({ objects, clock, scopeOf, stores }) },
  };
  const regions: (string | undefined)[] = [];
  const ec2 = ({ region }: { region: string | undefined }) => {
    regions.push(region);
    return fakeEc2(launched);
  };
  const steps = {
    objects: makeMachineObjectsSteps(common),
    instance: makeInstanceSteps({ ...common, ec2 }),
    cluster: makeObjectsSteps({
      ...common,
      random: systemRandom,
      keys: webCryptoKeys,
      executions: {} as never,
      pledges: createMemoryPledges({ clock }),
    }),
  };
  const put = async (wanted: KubeObject): Promise<KubeObject> => {
    const resource = KINDS.find(({ kind }) => kind === wanted.kind);
    if (!resource) throw new Error(wanted.kind);
    return (await objects.ensure(resource, wanted)).object;
  };
  const [cluster, owner] = await Promise.all(clusterObjects(options.region ?? 'us-east-1').map(put));
  if (!cluster || !owner) throw new Error('no cluster');
  for (const name of MACHINES) await Promise.all(machineObjects(name, owner, options).map(put));
  for (const purpose of ['ca', 'etcd', 'proxy', 'sa'] as const)
    await put(toSecret('red', 'default', purpose, certificates[purpose]));
  const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as { log: never };
  const clusterInput = {
    cluster: { namespace: 'default', name: 'red', uid: cluster.metadata.uid ?? '' },
    wanted: 1,
    holder: 'pass',
  };
  const inputOf = async (name: MachineName) => {
    const machine = await objects.get(machineKind, { namespace: 'default', name });
    const uid = machine?.metadata.uid ?? '';
    const { uid: clusterUid } = clusterInput.cluster;
    return { machine: { namespace: 'default', name, uid, clusterName: 'red', clusterUid }, holder: 'execution' };
  };
  const provision = async (name: MachineName): Promise<void> => {
    const input = await inputOf(name);
    try {
      await steps.objects.bootstrapData(input, context);
      await steps.instance.launchInstance(input, context);
    } catch (error) {
      const { name: kind, message: errorMessage } = error as Error;
      const failure = { Error: kind, Cause: JSON.stringify({ errorMessage }) };
      await steps.objects.fail({ ...input, failure }, context);
    }
    await steps.cluster.certificates(clusterInput, context);
    await steps.cluster.report(clusterInput, context);
  };
  /** Writes objects as another client would. */
  const as = (manager: string) => createObjectClient(registry, manager);
  return { objects, as, put, provision, inputOf, steps, context, clusterInput, launched, regions, stored, clock };
};

const machineKind = KINDS.find(({ kind }) => kind === 'Machine') as (typeof KINDS)[number];
export type Machines = Awaited<ReturnType<typeof makeMachines>>;
