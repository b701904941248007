/** The actions of users in a lifecycle, as steps. A step is done when the cluster is in its desired state. */
import type { Machine } from '../../../../shared/kinds/index.ts';
import {
  CONTROL_PLANE,
  clusterObjects,
  DEPLOYMENT,
  DEPLOYMENT_LABEL,
  NEXT_VERSION,
  rke2Objects,
  type Sizes,
} from '../user.ts';
import { clusterOfFlatcar } from './flatcar.ts';
import { machinePool, machinesByHand } from './further-machines.ts';
import { healthChecks } from './health-checks.ts';
import { balancedServices, requestDuties } from './services.ts';
import { clusterOfSpoke } from './spoke.ts';
import type { Step } from './step.ts';
import type { StoryName } from './story-names.ts';
import { managedCluster } from './topology.ts';
import { clusterInUsersVpc } from './users-vpc.ts';

const create = (sizes: Sizes): Step => ({
  name: 'create',
  sizes,
  act: async (user) => {
    for (const object of [...clusterObjects(sizes), ...healthChecks()]) await user.create(object);
  },
});

/** Windlass creates load balancers and routes for this cluster. */
const createWithDuties = (sizes: Sizes): Step => {
  const { act, ...step } = create(sizes);
  return {
    ...step,
    act: async (user, world) => {
      await act(user, world);
      await requestDuties(user);
    },
  };
};

const scale = (sizes: Sizes): Step => ({
  name: `scale to ${sizes.workers} workers`,
  sizes,
  act: (user) => user.patch('MachineDeployment', DEPLOYMENT, { spec: { replicas: sizes.workers } }),
});

/** A new value of `rollout.after` replaces all workers. */
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

const upgradeControlPlane = (sizes: Sizes): Step => ({
  name: 'upgrade the control plane',
  sizes,
  isOfControlPlane: true,
  act: (user) => user.patch('KubeadmControlPlane', CONTROL_PLANE, { spec: { version: NEXT_VERSION } }),
});

const upgradeWorkers = (sizes: Sizes): Step => ({
  name: 'upgrade the workers',
  sizes,
  act: (user) =>
    user.patch('MachineDeployment', DEPLOYMENT, { spec: { template: { spec: { version: NEXT_VERSION } } } }),
});

/** An RKE2 cluster in which all machines are replaced, those of the control plane first. */
const clusterOfRke2 = (sizes: Sizes): Step[] => [
  {
    name: 'create a cluster of RKE2',
    sizes,
    act: async (user) => {
      for (const object of [...rke2Objects(sizes), ...healthChecks()]) await user.create(object);
    },
  },
  {
    name: 'change the configuration of the control plane',
    sizes,
    act: (user) =>
      user.patch('RKE2ControlPlane', CONTROL_PLANE, { spec: { agentConfig: { nodeLabels: ['tier=control-plane'] } } }),
  },
  roll(sizes),
];

const beginningOf = (name: StoryName, sizes: Sizes): Step[] => {
  if (name === 'topology') return managedCluster(sizes).slice(0, 1);
  if (name === 'rke2') return clusterOfRke2(sizes).slice(0, 1);
  if (name === 'services') return [createWithDuties(sizes)];
  return [create(sizes), ...machinePool(sizes).slice(0, 2)];
};

/** The beginning of a story, and a step of random changes. */
export const disturbedStory = (name: StoryName, sizes: Sizes, step: Step): Step[] => [
  ...beginningOf(name, sizes),
  step,
];

/** The steps of a story. The deletion of the cluster follows. */
export const storyOf = (name: StoryName, sizes: Sizes): Step[] => {
  if (name === 'topology') return managedCluster(sizes);
  if (name === 'rke2') return clusterOfRke2(sizes);
  if (name === 'spoke') return clusterOfSpoke(sizes);
  if (name === 'vpc') return clusterInUsersVpc(sizes);
  if (name === 'flatcar') return clusterOfFlatcar(sizes);
  if (name === 'services') return [createWithDuties(sizes), ...balancedServices(sizes)];
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
