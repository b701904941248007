/** Changes by users to a MachinePool. */
import type { AWSMachinePool, MachinePool } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../../../shared/plan/labels.ts';
import { POOL, pool } from '../stories/further-machines.ts';
import { controlPlaneOf, named } from '../user.ts';
import { type Change, live, type Place, toggle } from './change.ts';

const REPLICAS_MANAGED_BY = 'cluster.x-k8s.io/replicas-managed-by';
const WARM_POOL = 'windlass.dev/warm-pool';
const TYPES = ['t3.large', 'm5.large', 'c5.large'];

/** The MachinePool with its infrastructure, unless one of them is missing or being deleted. */
const whole = async (place: Place): Promise<{ owner: MachinePool; group: AWSMachinePool } | undefined> => {
  const owner = (await live<MachinePool>(place, 'MachinePool')).find(({ metadata }) => metadata.name === POOL);
  const group = (await live<AWSMachinePool>(place, 'AWSMachinePool')).find(({ metadata }) => metadata.name === POOL);
  return owner && group && { owner, group };
};

/** A change to an existing pool. */
const ofPool =
  (
    change: (found: { owner: MachinePool; group: AWSMachinePool }, ...given: Parameters<Change>) => ReturnType<Change>,
  ) =>
  async (...given: Parameters<Change>) => {
    const found = await whole(given[0]);
    return found && change(found, ...given);
  };

const patchPool = ({ user }: Place, spec: object): Promise<void> => user.patch('MachinePool', POOL, { spec });
const patchGroup = ({ user }: Place, spec: object): Promise<void> => user.patch('AWSMachinePool', POOL, { spec });

export const POOLS: Readonly<Record<string, Change>> = {
  scale: ofPool(async ({ group }, place, { roll }) => {
    const { minSize = 1, maxSize = 1 } = group.spec ?? {};
    const replicas = minSize + roll(maxSize - minSize + 1);
    await patchPool(place, { replicas });
    return `wants ${replicas} machines in the pool`;
  }),
  changeSizes: ofPool(async ({ owner }, place, { roll }) => {
    const { replicas = 1 } = owner.spec;
    const [minSize, maxSize] = [Math.max(0, replicas - roll(2)), Math.max(1, replicas + roll(3))];
    await patchGroup(place, { minSize, maxSize });
    return `allows the pool ${minSize} to ${maxSize} machines`;
  }),
  changeType: ofPool(async (_, place, { one }) => {
    const instanceType = one(TYPES);
    await patchGroup(place, { awsLaunchTemplate: { instanceType } });
    return `wants machines of type ${instanceType} in the pool`;
  }),
  changeTags: ofPool(async (_, place, { one }) => {
    const additionalTags = { tier: one(['a', 'b', null]) };
    await patchGroup(place, { additionalTags });
    return `gives the pool the tag ${additionalTags.tier}`;
  }),
  changeConfiguration: async ({ user }, { roll }) => {
    if (!(await named(user, 'KubeadmConfig', POOL))) return undefined;
    const preKubeadmCommands = [`echo ${roll(100)}`];
    await user.patch('KubeadmConfig', POOL, { spec: { preKubeadmCommands } });
    return `has the machines of the pool run "${preKubeadmCommands[0]}"`;
  },
  changeInPlace: ofPool(async (_, place, { one, roll }) => {
    const labels = { tier: one(['a', 'b', 'c']) };
    const deletion = { nodeDrainTimeoutSeconds: 60 * (1 + roll(3)) };
    await patchPool(place, { template: { metadata: { labels }, spec: { deletion } } });
    return `gives the machines of the pool the label ${labels.tier}`;
  }),
  followVersion: ofPool(async ({ owner }, place) => {
    const { version } = (await controlPlaneOf(place.user))?.spec ?? {};
    if (version === undefined || owner.spec.template.spec.version === version) return undefined;
    await patchPool(place, { template: { spec: { version } } });
    return `wants machines of version ${version} in the pool`;
  }),
  changeRefreshes: ofPool(async (_, place, { one }) => {
    const refreshPreferences = one([{ disable: true }, { disable: false }, { minHealthyPercentage: 0 }]);
    await patchGroup(place, { refreshPreferences });
    return `changes refreshes of the pool to ${JSON.stringify(refreshPreferences)}`;
  }),
  suspend: ofPool(async ({ group }, place, { one }) => {
    const isSuspended = group.spec?.suspendProcesses !== undefined;
    const processes = { [one(['launch', 'terminate', 'replaceUnhealthy', 'azRebalance']) ?? '']: true };
    await patchGroup(place, { suspendProcesses: isSuspended ? null : { processes } });
    return isSuspended ? 'resumes the processes of the pool' : `suspends ${JSON.stringify(processes)} of the pool`;
  }),
  mixTypes: ofPool(async ({ group }, place) => {
    const isMixed = group.spec?.mixedInstancesPolicy !== undefined;
    const overrides = TYPES.slice(1).map((instanceType) => ({ instanceType }));
    await patchGroup(place, { mixedInstancesPolicy: isMixed ? null : { overrides } });
    place.hasMixedTypes = true;
    return isMixed ? 'wants one type of instances in the pool' : 'wants several types of instances in the pool';
  }),
  keepWarm: ofPool(async ({ group }, place) => {
    const isWarm = group.metadata.annotations?.[WARM_POOL] !== undefined;
    const annotations = { [WARM_POOL]: isWarm ? null : JSON.stringify({ minSize: 1 }) };
    await place.user.patch('AWSMachinePool', POOL, { metadata: { annotations } });
    return isWarm ? 'wants no warm pool' : 'wants a warm pool of one instance';
  }),
  leaveReplicas: ofPool(async ({ owner }, place) => {
    const isLeft = owner.metadata.annotations?.[REPLICAS_MANAGED_BY] !== undefined;
    const annotations = { [REPLICAS_MANAGED_BY]: isLeft ? null : 'external-autoscaler' };
    await place.user.patch('MachinePool', POOL, { metadata: { annotations } });
    return isLeft ? 'decides on the number of machines of the pool' : 'leaves that number to the group';
  }),
  pause: ofPool(({ owner }, place) => toggle(place, owner, ANNOTATION.paused)),
  pauseInfrastructure: ofPool(({ group }, place) => toggle(place, group, ANNOTATION.paused)),
  remove: ofPool(async (_, place, { roll }) => {
    if (roll(2) === 0) return undefined;
    place.mayLackPool = true;
    await place.user.remove('MachinePool', POOL);
    return 'deletes the pool';
  }),
  removeInfrastructure: ofPool(async (_, place, { roll }) => {
    if (roll(2) === 0) return undefined;
    place.mayLackPool = true;
    await place.user.remove('AWSMachinePool', POOL);
    return 'deletes the AWSMachinePool';
  }),
  create: async ({ user }) => {
    const missing: KubeObject[] = [];
    for (const object of pool(1)) if (!(await named(user, object.kind, POOL))) missing.push(object);
    for (const object of missing) await user.create(object);
    return missing.length > 0 ? `creates ${missing.map(({ kind }) => kind).join(', ')} of the pool` : undefined;
  },
};
