/** What users do in a life: one step after the other, each done when the cluster is as it should be. */
import type { Cluster, Machine, MachineDeployment } from '../../../shared/kinds/index.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';
import type { StoryName } from './story-names.ts';
import { clusterObjects, DEPLOYMENT, DEPLOYMENT_LABEL, type Sizes, type User } from './user.ts';
import type { World } from './world.ts';

export interface Step {
  name: string;
  /** How many machines there are to be in the end. */
  sizes: Sizes;
  act(user: User, world: World): Promise<void>;
}

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

/** Another label of the machines' template is another template. */
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
    const machines = (await user.list<Machine>('Machine')) ?? [];
    const worker = machines.find(({ metadata }) => metadata.labels?.[DEPLOYMENT_LABEL]);
    if (worker === undefined) throw new Error('there is no worker machine to delete');
    await user.remove('Machine', worker.metadata.name);
  },
});

/** Each is followed by the deletion of the cluster. */
export const storyOf = (name: StoryName, sizes: Sizes): Step[] => {
  const begin = create(sizes);
  if (name === 'scale')
    return [begin, scale({ ...sizes, workers: sizes.workers + 1 }), scale({ ...sizes, workers: sizes.workers })];
  if (name === 'roll') return [begin, roll(sizes)];
  if (name === 'heal') return [begin, heal(sizes)];
  return [begin];
};

/** Why a step is not done yet; undefined where it is. */
export const whatIsMissing = async (user: User, { controlPlane, workers }: Sizes): Promise<string | undefined> => {
  const [cluster] = (await user.list<Cluster>('Cluster')) ?? [];
  const machines = (await user.list<Machine>('Machine')) ?? [];
  const [deployment] = (await user.list<MachineDeployment>('MachineDeployment')) ?? [];
  if (cluster === undefined || deployment === undefined) return 'the API has no answer';
  const available = findCondition(cluster.status?.conditions, 'Available');
  if (available?.status !== 'True') return `Available: ${available?.message ?? 'unknown'}`;
  if (machines.length !== controlPlane + workers) return `${machines.length} machines`;
  const unready = machines.filter(({ status }) => !isTrue(status?.conditions, 'Available'));
  if (unready.length > 0) return `${unready.length} machines are not Available`;
  return (deployment.status?.upToDateReplicas ?? 0) === workers ? undefined : 'the rollout is not done';
};
