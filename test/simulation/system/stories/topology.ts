/** A cluster with a ClusterClass, whose user only changes `spec.topology` of the Cluster. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { ClusterClass } from '../../../../shared/kinds/cluster-class/schema.ts';
import type {
  Cluster,
  KubeadmControlPlane,
  Machine,
  MachineDeployment,
  MachineSet,
} from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { findCondition } from '../../../../shared/plan/status/conditions.ts';
import { TOPOLOGY_LABEL } from '../../../../shared/plan/topology/objects.ts';
import { CLUSTER, NEXT_VERSION, named, type Sizes, type User } from '../user.ts';
import { liveInstances } from '../verdicts/judge.ts';
import { CHECKS } from './health-checks.ts';
import type { Step } from './step.ts';

/** Naming templates for the class, which produce the names of the quickstart's objects. */
const CONTROL_PLANE_NAME = '{{ .cluster.name }}-control-plane';
const DEPLOYMENT_NAME = '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}';

export const CLASS = 'default-worker';
/** A worker class whose objects get names with a random suffix. */
export const OTHER_CLASS = 'other-worker';
const GROUP = 'md-0';
const OTHER_GROUP = 'md-1';

const CHECKED = { checks: CHECKS };

const readClass = ({ spec, ...rest }: ClusterClass): KubeObject => {
  const [worker] = spec.workers?.machineDeployments ?? [];
  const checked = { ...worker, healthCheck: CHECKED };
  return {
    ...rest,
    spec: {
      ...spec,
      controlPlane: { ...spec.controlPlane, healthCheck: CHECKED, naming: { template: CONTROL_PLANE_NAME } },
      workers: {
        machineDeployments: [
          { ...checked, naming: { template: DEPLOYMENT_NAME } },
          { ...checked, class: OTHER_CLASS },
        ],
      },
    },
  } as KubeObject;
};

const groups = (workers: number) => [{ class: CLASS, name: GROUP, replicas: workers }];

const readCluster = ({ spec, ...rest }: Cluster, { controlPlane, workers }: Sizes): KubeObject => {
  const topology = {
    ...spec.topology,
    controlPlane: { replicas: controlPlane },
    workers: { machineDeployments: groups(workers) },
  };
  return { ...rest, metadata: { name: CLUSTER }, spec: { ...spec, topology } } as KubeObject;
};

/** The objects of the example, with these numbers of machines. */
const managedObjects = (sizes: Sizes): KubeObject[] =>
  parseAllDocuments(readFileSync('examples/clusterclass.yaml', 'utf8')).map((document) => {
    const object = document.toJS() as KubeObject;
    if (object.kind === 'ClusterClass') return readClass(object as ClusterClass);
    return object.kind === 'Cluster' ? readCluster(object as Cluster, sizes) : object;
  });

const change = (user: User, topology: object): Promise<void> => user.patch('Cluster', CLUSTER, { spec: { topology } });

/** Sets the number of machines in the first group of workers, and keeps the others. */
export const scaleGroup = async (user: User, { spec }: Cluster, replicas: number): Promise<void> => {
  const [first, ...others] = spec.topology?.workers?.machineDeployments ?? [];
  await change(user, { workers: { machineDeployments: [{ ...first, replicas }, ...others] } });
};

interface Templated {
  infrastructureRef: { name?: string | undefined };
  bootstrap?: { configRef?: { name?: string | undefined } | undefined };
}

const usedNames = ({ infrastructureRef, bootstrap }: Templated) => [infrastructureRef.name, bootstrap?.configRef?.name];

/** Templates that the topology has created and that nothing uses. */
const unusedTemplates = async (user: User): Promise<string[]> => {
  const workers = [
    ...(await user.list<MachineDeployment>('MachineDeployment')),
    ...(await user.list<MachineSet>('MachineSet')),
  ];
  const controlPlanes = await user.list<KubeadmControlPlane>('KubeadmControlPlane');
  const used = new Set([
    ...controlPlanes.flatMap(({ spec }) => usedNames(spec.machineTemplate.spec as Templated)),
    ...workers.flatMap(({ spec }) => usedNames(spec.template.spec)),
  ]);
  const templates = [...(await user.list('AWSMachineTemplate')), ...(await user.list('KubeadmConfigTemplate'))];
  return templates
    .filter(({ metadata }) => TOPOLOGY_LABEL.owned in (metadata.labels ?? {}) && !used.has(metadata.name))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
};

export const whatTopologyLacks = async (user: User, numberOfGroups: number): Promise<string | undefined> => {
  const cluster = await named<Cluster>(user, 'Cluster', CLUSTER);
  const reconciled = findCondition(cluster?.status?.conditions, 'TopologyReconciled');
  const isCurrent = reconciled?.observedGeneration === cluster?.metadata.generation;
  if (reconciled?.status !== 'True' || !isCurrent) return `TopologyReconciled: ${reconciled?.message || 'not current'}`;
  const deployments = await user.list('MachineDeployment');
  if (deployments.length !== numberOfGroups) return `there are ${deployments.length} MachineDeployments`;
  const unused = await unusedTemplates(user);
  return unused.length > 0 ? `nothing uses ${unused.join(', ')}` : undefined;
};

const OTHER_TYPE = 'm5.large';

const whatWorkersLack = async (user: User, types: readonly string[], number: number): Promise<string | undefined> => {
  const found = types.filter((type) => type === OTHER_TYPE).length;
  return found === number ? whatTopologyLacks(user, 1) : `${found} workers have the other type`;
};

const whatVersionLacks = async (user: User): Promise<string | undefined> => {
  const machines = await user.list<Machine>('Machine');
  const former = machines.filter(({ spec }) => spec.version !== NEXT_VERSION);
  return former.length > 0 ? `${former.length} machines have the former version` : whatTopologyLacks(user, 2);
};

const both = (workers: number) => [...groups(workers), { class: OTHER_CLASS, name: OTHER_GROUP, replicas: 1 }];

/**
 * A cluster of a class, which is changed by a variable, gets another group of workers, is upgraded, and loses the
 * group.
 */
export const managedCluster = (sizes: Sizes): Step[] => [
  {
    name: 'create a class and a cluster of it',
    sizes,
    act: async (user) => {
      for (const object of managedObjects(sizes)) await user.create(object);
    },
    lacks: (user) => whatTopologyLacks(user, 1),
  },
  {
    name: 'change a variable',
    sizes,
    act: async (user) => {
      const cluster = await named<Cluster>(user, 'Cluster', CLUSTER);
      const variables = cluster?.spec.topology?.variables ?? [];
      const others = variables.filter(({ name }) => name !== 'workerInstanceType');
      await change(user, { variables: [...others, { name: 'workerInstanceType', value: OTHER_TYPE }] });
    },
    lacks: (user, { account }) =>
      whatWorkersLack(
        user,
        liveInstances(account).map(({ instanceType }) => instanceType),
        sizes.workers,
      ),
  },
  {
    name: 'add a group of workers',
    sizes: { ...sizes, others: 1 },
    act: (user) => change(user, { workers: { machineDeployments: both(sizes.workers) } }),
    lacks: (user) => whatTopologyLacks(user, 2),
  },
  {
    name: 'upgrade the topology',
    sizes: { ...sizes, others: 1 },
    act: (user) => change(user, { version: NEXT_VERSION }),
    lacks: (user) => whatVersionLacks(user),
  },
  {
    name: 'remove the group',
    sizes,
    act: (user) => change(user, { workers: { machineDeployments: groups(sizes.workers) } }),
    lacks: (user) => whatTopologyLacks(user, 1),
  },
];
