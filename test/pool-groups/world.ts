/** One MachinePool with its objects in memory, over a simulated account, with its group in the default VPC. */
import {
  AutoScalingClient,
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  DescribeImagesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type LaunchTemplateVersion,
} from '@aws-sdk/client-ec2';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedPoolDependencies } from '../../functions/providers/aws/machine-pool/dependencies.ts';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { startTestAws, type TestAws } from '../../infra/local/test-aws.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type AWSMachinePool,
  KINDS,
  kinds,
  type MachinePool,
} from '../../shared/kinds/index.ts';
import { formatTime, type KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import { ec2ImageReads } from '../../shared/providers/aws/api/ec2-image-reads.ts';
import { ec2LaunchReads } from '../../shared/providers/aws/api/ec2-launch-reads.ts';
import { ec2VolumeClaims } from '../../shared/providers/aws/api/ec2-volumes.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { createAutoScalingGroups } from '../../shared/providers/aws/machine-pool/api.ts';
import { createLaunchTemplates } from '../../shared/providers/aws/machine-pool/template-api.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import type { WorkStore } from '../../shared/store/work/work.ts';
import type { PoolInput, ProgressResult } from '../../shared/work/payloads.ts';

export const KEY = { namespace: 'default', name: 'pool-0' };

export interface PoolWorld {
  aws: TestAws;
  ec2: EC2Client;
  autoScaling: AutoScalingClient;
  objects: ObjectClient;
  /** The bootstrap data in S3, by `<bucket>/<key>`. */
  stored: Map<string, string>;
  steps: ReturnType<typeof makePoolGroupSteps>;
  dependencies: ScopedPoolDependencies;
  input: PoolInput;
  /** One check. */
  look(): Promise<ProgressResult>;
  /** Checks, with the waits in between, until nothing is left to do. */
  settle(): Promise<ProgressResult>;
  /** Requests the deletion of the pool. */
  deletePool(): Promise<void>;
  remove(): Promise<ProgressResult>;
  /** Advances time in the small steps that instances and groups need. */
  pass(seconds: number): Promise<void>;
  /** The calls of a run, `service:operation`, without reads of the test itself. */
  callsOf(run: () => Promise<unknown>): Promise<string[]>;
  group(name?: string): Promise<AutoScalingGroup | undefined>;
  versions(name?: string): Promise<LaunchTemplateVersion[]>;
  infrastructure(): Promise<AWSMachinePool>;
  machines(): Promise<AWSMachine[]>;
  changePool(change: Partial<MachinePool['spec']>, annotations?: Record<string, string>): Promise<void>;
  changeInfrastructure(change: object, annotations?: Record<string, string>): Promise<void>;
  changeBucket(change: Partial<AWSCluster['spec']['s3Bucket']> | undefined): Promise<void>;
  /** New bootstrap data, as after the rotation of a token. */
  renewData(body: string, format?: string): Promise<void>;
  close(): Promise<void>;
}

const meta = (name: string) => ({ name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Place {
  subnets: { id: string; resourceID: string; availabilityZone: string; isPublic: boolean }[];
  group: string;
  image: string;
}

const BUCKET = {
  name: 'cluster-api-provider-aws-red',
  controlPlaneIAMInstanceProfile: 'control-plane.cluster-api-provider-aws.sigs.k8s.io',
  nodesIAMInstanceProfiles: ['nodes.cluster-api-provider-aws.sigs.k8s.io'],
};

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

const clusterObjects = ({ subnets, group }: Place): KubeObject[] => [
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name: 'red' } },
  } as KubeObject,
  {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSCluster',
    metadata: meta('red'),
    spec: { region: 'us-east-1', network: { subnets }, s3Bucket: BUCKET },
    status: {
      ready: true,
      networkStatus: { securityGroups: { node: { id: group, name: 'n' }, lb: { id: group, name: 'l' } } },
    },
  } as KubeObject,
];

const objectsOf = (place: Place, spec: object): KubeObject[] => [
  ...clusterObjects(place),
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: meta('pool-0'),
    data: { value: base64('#cloud-config\n'), format: base64('cloud-config') },
  } as KubeObject,
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { ...meta('pool-0'), finalizers: ['machinepool.cluster.x-k8s.io'] },
    spec: {
      clusterName: 'red',
      replicas: 2,
      template: {
        spec: {
          clusterName: 'red',
          version: 'v1.34.0',
          bootstrap: { dataSecretName: 'pool-0' },
          infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachinePool', name: 'pool-0' },
        },
      },
    },
  } as KubeObject,
  {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSMachinePool',
    metadata: meta('pool-0'),
    spec: { minSize: 0, maxSize: 5, awsLaunchTemplate: { instanceType: 't3.large' }, ...spec },
  } as KubeObject,
];

const defaultPlace = async (client: EC2Client): Promise<Place> => {
  const { Subnets = [] } = await client.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups = [] } = await client.send(new DescribeSecurityGroupsCommand({}));
  const Filters = [{ Name: 'name', Values: ['capa-ami-ubuntu-24.04-?1.34.0-*'] }];
  const { Images = [] } = await client.send(new DescribeImagesCommand({ Filters }));
  const subnets = Subnets.slice(0, 2).map(({ SubnetId = '', AvailabilityZone = '' }) => ({
    ...{ id: SubnetId, resourceID: SubnetId },
    availabilityZone: AvailabilityZone,
    isPublic: false,
  }));
  const image = Images.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId ?? '';
  return { subnets, group: SecurityGroups[0]?.GroupId ?? '', image };
};

interface Portable {
  aws: TestAws;
  ec2: EC2Client;
  autoScaling: AutoScalingClient;
  objects: ObjectClient;
  stored: Map<string, string>;
}

const dependenciesOf = ({ aws, ec2, autoScaling, objects, stored }: Portable): ScopedPoolDependencies => {
  const { clock } = aws;
  const pools = {
    groups: createAutoScalingGroups(autoScaling),
    templates: createLaunchTemplates(ec2),
    ec2: { ...ec2LaunchReads(ec2), ...ec2ImageReads(ec2) },
    volumes: ec2VolumeClaims(ec2),
    imageParameters: { imageId: async () => '' },
    bootstrapObjects: fakeBootstrapObjects(stored),
  };
  return {
    ...{ objects, clock },
    // The lease of a pool is that of its execution; here there is only one execution.
    work: { extendMachine: async () => true, recordRemoval: async () => true } as unknown as WorkStore,
    instanceProfiles: DEFAULT_INSTANCE_PROFILES,
    scopeOf: controllerScopeOf,
    pools: () => pools,
  };
};

const LOOKS = 200;
const context = { log: silentLog };

/** `spec` is that of the AWSMachinePool. */
export const startPoolWorld = async (spec: object = {}, autoScalingTimeScale = 1): Promise<PoolWorld> => {
  const aws = await startTestAws({ autoScalingTimeScale });
  const ec2 = new EC2Client(aws.direct);
  const autoScaling = new AutoScalingClient(aws.direct);
  const { clock } = aws;
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const made = new Map<string, KubeObject>();
  for (const object of objectsOf(await defaultPlace(ec2), spec)) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (resource) made.set(object.kind, (await objects.ensure(resource, object)).object);
  }
  const uidOf = (kind: string) => made.get(kind)?.metadata.uid ?? '';
  const ref = { ...KEY, uid: uidOf('MachinePool'), clusterName: 'red', clusterUid: uidOf('Cluster') };
  const input: PoolInput = { pool: ref, holder: 'h' };
  const stored = new Map<string, string>();
  const dependencies = dependenciesOf({ aws, ec2, autoScaling, objects, stored });
  const steps = makePoolGroupSteps(dependencies);
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 1) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const since = () => formatTime(clock.now());
  const until = async (step: 'reconcilePool' | 'removePool'): Promise<ProgressResult> => {
    const began = { ...input, since: since() };
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const progress = await steps[step](began, context);
      if (progress.progress !== 'wait') return progress;
      await pass(progress.waitSeconds);
    }
    throw new Error(`the pool is not settled after ${LOOKS} looks`);
  };
  const group = async (name?: string): Promise<AutoScalingGroup | undefined> => {
    const { AutoScalingGroups = [] } = await autoScaling.send(new DescribeAutoScalingGroupsCommand({}));
    return name ? AutoScalingGroups.find((one) => one.AutoScalingGroupName === name) : AutoScalingGroups[0];
  };
  const infrastructure = async () => (await objects.get(kinds.awsMachinePool, KEY)) as AWSMachinePool;
  return {
    ...{ aws, ec2, autoScaling, objects, stored, steps, dependencies, input, pass, group, infrastructure },
    look: () => steps.reconcilePool({ ...input, since: since() }, context),
    settle: () => until('reconcilePool'),
    deletePool: async () => {
      await objects.delete(kinds.machinePool, KEY);
    },
    remove: async () => {
      await objects.delete(kinds.machinePool, KEY);
      return until('removePool');
    },
    callsOf: async (run) => {
      const before = aws.calls.length;
      await run();
      return aws.calls.slice(before);
    },
    versions: async (name) => {
      const LaunchTemplateName = name ?? (await group())?.AutoScalingGroupName ?? '';
      const found = await ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName }));
      return (found.LaunchTemplateVersions ?? []).sort((a, b) => (a.VersionNumber ?? 0) - (b.VersionNumber ?? 0));
    },
    machines: () => objects.listOfCluster(kinds.awsMachine, 'default', 'red'),
    changePool: async (change, annotations = {}) => {
      await objects.mutate(kinds.machinePool, KEY, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
        spec: { ...current.spec, ...change },
      }));
    },
    changeInfrastructure: async (change, annotations = {}) => {
      await objects.mutate(kinds.awsMachinePool, KEY, ({ metadata, ...current }) => {
        const wishes = { ...metadata.annotations, ...annotations };
        return {
          ...current,
          metadata: { ...metadata, annotations: wishes },
          spec: { ...current.spec, ...change },
        } as AWSMachinePool;
      });
    },
    changeBucket: async (change) => {
      await objects.mutate(kinds.awsCluster, { ...KEY, name: 'red' }, ({ spec, ...current }) => ({
        ...current,
        spec: { ...spec, s3Bucket: change && { ...BUCKET, ...change } },
      }));
    },
    renewData: async (body, format = 'cloud-config') => {
      await objects.mutate(kinds.secret, KEY, (current) => ({
        ...current,
        data: { value: base64(body), format: base64(format) },
      }));
    },
    close: async () => {
      ec2.destroy();
      autoScaling.destroy();
      aws.account.bus.close();
      await aws.aws.close();
    },
  };
};
