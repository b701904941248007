/** Steps with machines that no MachineDeployment creates: those of a MachinePool, and those that a user writes. */

import type { AWSMachinePool, MachinePool, MachineSet } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { CLUSTER, clusterObjects, DEPLOYMENT, named, type Sizes, type User } from '../user.ts';
import { liveInstances } from '../verdicts/judge.ts';
import type { Step } from './step.ts';

export const POOL = 'quickstart-pool';
const SET = 'quickstart-set';
export const SINGLE = 'quickstart-alone';

const CORE = 'cluster.x-k8s.io/v1beta2';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io/v1beta2';
const VERSION = 'v1.34.0';
const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';

interface Template extends KubeObject {
  spec: { template: { spec: Record<string, unknown> } };
}

/** The spec of the quickstart's template of this kind for workers. */
const specOf = (kind: string): Record<string, unknown> => {
  const found = clusterObjects({ controlPlane: 1, workers: 1 }).find(
    (object) => object.kind === kind && object.metadata.name === DEPLOYMENT,
  ) as Template;
  return found.spec.template.spec;
};

const object = (apiVersion: string, kind: string, name: string, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name }, spec }) as KubeObject;

/** The spec of a machine whose configuration and infrastructure have this name. */
const machineSpec = (name: string, bootstrap: string, infrastructure: string) => ({
  clusterName: CLUSTER,
  version: VERSION,
  bootstrap: { configRef: { apiGroup: groupOf(BOOTSTRAP), kind: bootstrap, name } },
  infrastructureRef: { apiGroup: groupOf(INFRASTRUCTURE), kind: infrastructure, name },
});

const configuration = (name: string): KubeObject =>
  object(BOOTSTRAP, 'KubeadmConfig', name, specOf('KubeadmConfigTemplate'));

export const single = (version = VERSION): KubeObject[] => [
  object(CORE, 'Machine', SINGLE, { ...machineSpec(SINGLE, 'KubeadmConfig', 'AWSMachine'), version }),
  object(INFRASTRUCTURE, 'AWSMachine', SINGLE, specOf('AWSMachineTemplate')),
  configuration(SINGLE),
];

const set = (replicas: number): KubeObject => {
  const labels = { set: SET };
  return object(CORE, 'MachineSet', SET, {
    ...{ clusterName: CLUSTER, replicas, selector: { matchLabels: labels } },
    template: {
      metadata: { labels },
      spec: machineSpec(DEPLOYMENT, 'KubeadmConfigTemplate', 'AWSMachineTemplate'),
    },
  });
};

const FORMER_TYPE = 't3.large';
const OTHER_TYPE = 'm5.large';
const launchTemplate = (instanceType: string) => ({ ...specOf('AWSMachineTemplate'), instanceType });

export const pool = (replicas: number): KubeObject[] => [
  object(CORE, 'MachinePool', POOL, {
    ...{ clusterName: CLUSTER, replicas },
    template: { spec: machineSpec(POOL, 'KubeadmConfig', 'AWSMachinePool') },
  }),
  object(INFRASTRUCTURE, 'AWSMachinePool', POOL, {
    ...{ minSize: 1, maxSize: 3, awsLaunchTemplate: launchTemplate(FORMER_TYPE) },
    refreshPreferences: { minHealthyPercentage: 50 },
  }),
  configuration(POOL),
];

const createAll = async (user: User, objects: readonly KubeObject[]): Promise<void> => {
  for (const one of objects) await user.create(one);
};

const whatSetLacks = async (user: User, replicas: number): Promise<string | undefined> => {
  const found = await named<MachineSet>(user, 'MachineSet', SET);
  return found?.status?.availableReplicas === replicas && found.status.observedGeneration === found.metadata.generation
    ? undefined
    : 'the MachineSet lacks machines';
};

const whatPoolLacks = async (user: User, replicas: number): Promise<string | undefined> => {
  const found = await named<MachinePool>(user, 'MachinePool', POOL);
  const group = await named<AWSMachinePool>(user, 'AWSMachinePool', POOL);
  if (found === undefined || group === undefined) return 'a part of the pool is missing';
  const { status, metadata } = found;
  const isWhole = status?.phase === 'Running' && status.readyReplicas === replicas;
  if (!isWhole || status.observedGeneration !== metadata.generation) return `the MachinePool is ${status?.phase}`;
  return group.status?.ready ? undefined : 'the AWSMachinePool is not ready';
};

/** Creates and deletes machines and sets of machines, each with all objects to which it refers. */
export const machinesByHand = (sizes: Sizes): Step[] => [
  { name: 'create a machine', sizes: { ...sizes, others: 1 }, act: (user) => createAll(user, single()) },
  {
    name: 'create a set of machines',
    sizes: { ...sizes, others: 2 },
    act: (user) => user.create(set(1)),
    lacks: (user) => whatSetLacks(user, 1),
  },
  {
    name: 'scale the set',
    sizes: { ...sizes, others: 3 },
    act: (user) => user.patch('MachineSet', SET, { spec: { replicas: 2 } }),
    lacks: (user) => whatSetLacks(user, 2),
  },
  {
    name: 'delete the machine with its objects, and the set',
    sizes,
    act: async (user) => {
      for (const { kind, metadata } of single().toReversed()) await user.remove(kind, metadata.name);
      await user.remove('MachineSet', SET);
    },
  },
];

/** A pool is created, scaled, changed to another instance type, and deleted. */
export const machinePool = (sizes: Sizes): Step[] => [
  {
    name: 'create a pool',
    sizes: { ...sizes, others: 1 },
    act: (user) => createAll(user, pool(1)),
    lacks: (user) => whatPoolLacks(user, 1),
  },
  {
    name: 'scale the pool',
    sizes: { ...sizes, others: 2 },
    act: (user) => user.patch('MachinePool', POOL, { spec: { replicas: 2 } }),
    lacks: (user) => whatPoolLacks(user, 2),
  },
  {
    name: 'replace the machines of the pool',
    sizes: { ...sizes, others: 2 },
    act: (user) => user.patch('AWSMachinePool', POOL, { spec: { awsLaunchTemplate: launchTemplate(OTHER_TYPE) } }),
    lacks: async (user, { account }) => {
      const types = liveInstances(account).map(({ instanceType }) => instanceType);
      const others = types.filter((type) => type === OTHER_TYPE).length;
      return others === 2 ? whatPoolLacks(user, 2) : `${others} machines have the other type`;
    },
  },
  {
    name: 'delete the pool',
    sizes,
    act: (user) => user.remove('MachinePool', POOL),
    lacks: async (user) => {
      const groups = await user.list('AWSMachinePool');
      return groups.every(({ metadata }) => metadata.name !== POOL) ? undefined : 'its group is still there';
    },
  },
];
