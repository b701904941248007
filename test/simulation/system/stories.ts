/** What users do in a lifecycle: one step after the other, each done when the cluster is in its desired state. */
import type { Cluster, KubeadmControlPlane, Machine, MachineDeployment } from '../../../shared/kinds/index.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';
import { machinePool, machinesByHand } from './further-machines.ts';
import type { Step } from './step.ts';
import type { StoryName } from './story-names.ts';
import {
  CLUSTER,
  CONTROL_PLANE,
  clusterObjects,
  DEPLOYMENT,
  DEPLOYMENT_LABEL,
  machinesIn,
  named,
  type Sizes,
  type User,
} from './user.ts';

const create = (sizes: Sizes): Step => ({
  name: 'create',
  sizes,
  act: async (user) => {
    for (const object of clusterObjects(sizes)) await user.create(object);
  },
});

const scale = (sizes: Sizes): Step => ({
  name: `scale to ${sizes.workers} workers`,
  sizes,
  act: (user) => user.patch('MachineDeployment', DEPLOYMENT, { spec: { replicas: sizes.workers } }),
});

/** Another label in the machines' template makes another template. */
const roll = (sizes: Sizes): Step => ({
  name: 'roll the workers',
  sizes,
  act: (user) =>
    user.patch('MachineDeployment', DEPLOYMENT, {
      spec: { rollout: { after: new Date().toISOString() } },
    }),
});

const heal = (sizes: Sizes): Step => ({
  name: 'delete a worker machine',
  sizes,
  act: async (user) => {
    const machines = await user.list<Machine>('Machine');
    const worker = machines.find(({ metadata }) => metadata.labels?.[DEPLOYMENT_LABEL]);
    if (worker === undefined) throw new Error('there is no worker machine to delete');
    await user.remove('Machine', worker.metadata.name);
  },
});

/** The next minor version after that of the quickstart. */
const NEXT = 'v1.35.2';

const upgradeControlPlane = (sizes: Sizes): Step => ({
  name: 'upgrade the control plane',
  sizes,
  isOfControlPlane: true,
  act: (user) => user.patch('KubeadmControlPlane', CONTROL_PLANE, { spec: { version: NEXT } }),
});

const upgradeWorkers = (sizes: Sizes): Step => ({
  name: 'upgrade the workers',
  sizes,
  act: (user) => user.patch('MachineDeployment', DEPLOYMENT, { spec: { template: { spec: { version: NEXT } } } }),
});

/** Each is followed by the deletion of the cluster. */
export const storyOf = (name: StoryName, sizes: Sizes): Step[] => {
  const begin = create(sizes);
  if (name === 'scale')
    return [begin, scale({ ...sizes, workers: sizes.workers + 1 }), scale({ ...sizes, workers: sizes.workers })];
  if (name === 'roll') return [begin, roll(sizes)];
  if (name === 'upgrade') return [begin, upgradeControlPlane(sizes), upgradeWorkers(sizes)];
  if (name === 'heal') return [begin, heal(sizes)];
  if (name === 'machines') return [begin, ...machinesByHand(sizes)];
  if (name === 'pool') return [begin, ...machinePool(sizes)];
  return [begin];
};

/** The status may still be that of the previous spec. */
const isRolledOut = (owner: MachineDeployment | KubeadmControlPlane | undefined, replicas: number): boolean =>
  owner?.status?.observedGeneration === owner?.metadata.generation &&
  (owner?.status?.upToDateReplicas ?? 0) === replicas;

const whatControlPlaneLacks = async (user: User, controlPlane: number): Promise<string | undefined> => {
  const owner = await named<KubeadmControlPlane>(user, 'KubeadmControlPlane', CONTROL_PLANE);
  return isRolledOut(owner, controlPlane) && isTrue(owner?.status?.conditions, 'Available')
    ? undefined
    : 'the rollout of the control plane is not done';
};

/** Why a step is not done yet; undefined if it is. */
export const whatIsMissing = async (
  user: User,
  { sizes, isOfControlPlane }: Pick<Step, 'sizes' | 'isOfControlPlane'>,
): Promise<string | undefined> => {
  const { controlPlane, workers } = sizes;
  if (isOfControlPlane) return whatControlPlaneLacks(user, controlPlane);
  const cluster = await named<Cluster>(user, 'Cluster', CLUSTER);
  if (cluster === undefined) return 'there is no Cluster';
  const available = findCondition(cluster.status?.conditions, 'Available');
  if (available?.status !== 'True') return `Available: ${available?.message ?? 'unknown'}`;
  const deployment = await named<MachineDeployment>(user, 'MachineDeployment', DEPLOYMENT);
  if (deployment === undefined) return 'there is no MachineDeployment';
  const machines = await user.list<Machine>('Machine');
  if (machines.length !== machinesIn(sizes)) return `${machines.length} machines`;
  if (machines.some(({ metadata }) => metadata.deletionTimestamp)) return 'a machine is still deleted';
  const unready = machines.filter(({ status }) => !isTrue(status?.conditions, 'Available'));
  if (unready.length > 0) return `${unready.length} machines are not Available`;
  return isRolledOut(deployment, workers) ? whatControlPlaneLacks(user, controlPlane) : 'the rollout is not done';
};
