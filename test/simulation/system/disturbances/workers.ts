/** Changes by users to the workers' MachineDeployment and to single machines. */
import type { AWSMachineTemplate, Cluster, MachineDeployment, MachineSet } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../../../shared/plan/labels.ts';
import { CLUSTER, controlPlaneOf, DEPLOYMENT, named, type User } from '../user.ts';
import { type Change, live, liveWorkers, type Place, toggle } from './change.ts';

export const HOOK = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/disturbance';
const TYPES = ['t3.large', 'm5.large'];
const SURGES = [
  { maxSurge: 1, maxUnavailable: 0 },
  { maxSurge: 0, maxUnavailable: 1 },
  { maxSurge: '50%', maxUnavailable: '50%' },
];

const patch = (user: User, spec: object): Promise<void> => user.patch('MachineDeployment', DEPLOYMENT, { spec });

/** Copies a template to a new name, as users do to change machines. Returns the name. */
const copied = async <T extends KubeObject>(
  place: Place,
  kind: string,
  change: (template: T) => T,
): Promise<string | undefined> => {
  const all = (await place.user.list<T>(kind)).filter(({ metadata }) => metadata.name.startsWith(DEPLOYMENT));
  const from = all.find(({ metadata }) => metadata.name === DEPLOYMENT);
  if (from === undefined) return undefined;
  const name = `${DEPLOYMENT}-v${all.length}`;
  const { apiVersion, ...rest } = change(from);
  await place.user.create({ ...rest, apiVersion, metadata: { name } });
  return name;
};

type ConfigTemplate = KubeObject & { spec: { template: { spec: Record<string, unknown> } } };

export const WORKERS: Readonly<Record<string, Change>> = {
  scale: async ({ user }, { roll }) => {
    const replicas = roll(4);
    await patch(user, { replicas });
    return `wants ${replicas} workers`;
  },
  rollOut: async ({ user }) => {
    await patch(user, { rollout: { after: new Date().toISOString() } });
    return 'wants the workers rolled out';
  },
  changeInPlace: async ({ user }, { one, roll }) => {
    const labels = { tier: one(['a', 'b', 'c']) };
    const deletion = { nodeDrainTimeoutSeconds: 60 * (1 + roll(3)) };
    await patch(user, { template: { metadata: { labels }, spec: { deletion } } });
    return `gives the workers the label ${labels.tier} and a limit of ${deletion.nodeDrainTimeoutSeconds} s for drains`;
  },
  changeStrategy: async ({ user }, { one }) => {
    const rollingUpdate = one(SURGES);
    await patch(user, { rollout: { strategy: { type: 'RollingUpdate', rollingUpdate } } });
    return `changes the strategy to ${JSON.stringify(rollingUpdate)}`;
  },
  changeInstances: async (place, { one }) => {
    const instanceType = one(TYPES) ?? '';
    const name = await copied<AWSMachineTemplate>(place, 'AWSMachineTemplate', ({ spec, ...rest }) => ({
      ...rest,
      spec: { template: { ...spec.template, spec: { ...spec.template.spec, instanceType } } },
    }));
    if (name === undefined) return undefined;
    await patch(place.user, { template: { spec: { infrastructureRef: { name } } } });
    return `wants workers of template ${name}, ${instanceType}`;
  },
  changeConfiguration: async (place, { roll }) => {
    const preKubeadmCommands = [`echo ${roll(100)}`];
    const name = await copied<ConfigTemplate>(place, 'KubeadmConfigTemplate', ({ spec, ...rest }) => ({
      ...rest,
      spec: { template: { spec: { ...spec.template.spec, preKubeadmCommands } } },
    }));
    if (name === undefined) return undefined;
    await patch(place.user, { template: { spec: { bootstrap: { configRef: { name } } } } });
    return `wants workers with configuration ${name}`;
  },
  followVersion: async ({ user }) => {
    const owner = await controlPlaneOf(user);
    const found = await named<MachineDeployment>(user, 'MachineDeployment', DEPLOYMENT);
    const { version } = owner?.spec ?? {};
    if (version === undefined || found?.spec.template.spec.version === version) return undefined;
    await patch(user, { template: { spec: { version } } });
    return `wants workers of version ${version}`;
  },
  pause: async (place) => {
    const found = await named<MachineDeployment>(place.user, 'MachineDeployment', DEPLOYMENT);
    return found && toggle(place, found, ANNOTATION.paused);
  },
  deleteMachine: async (place, { one }) => {
    const machine = one(await liveWorkers(place));
    if (machine === undefined) return undefined;
    await place.user.remove('Machine', machine.metadata.name);
    return `deletes Machine ${machine.metadata.name}`;
  },
  deleteInfrastructure: async (place, { one }) => {
    const machine = one(await liveWorkers(place));
    if (machine === undefined) return undefined;
    await place.user.remove('AWSMachine', machine.spec.infrastructureRef.name);
    return `deletes AWSMachine ${machine.spec.infrastructureRef.name}`;
  },
  deleteSet: async (place, { one }) => {
    const set = one(await live<MachineSet>(place, 'MachineSet'));
    if (set === undefined) return undefined;
    await place.user.remove('MachineSet', set.metadata.name);
    return `deletes MachineSet ${set.metadata.name}`;
  },
  holdDrain: async (place, { one }) => {
    const machine = one(await liveWorkers(place));
    return machine && toggle(place, machine, HOOK);
  },
  pauseMachine: async (place, { one }) => {
    const machine = one(await liveWorkers(place));
    return machine && toggle(place, machine, ANNOTATION.paused);
  },
  remediate: async (place, { one }) => {
    const machine = one(await liveWorkers(place));
    return machine && toggle(place, machine, ANNOTATION.remediateMachine);
  },
  pauseCluster: async (place) => {
    const cluster = await named<Cluster>(place.user, 'Cluster', CLUSTER);
    if (cluster === undefined) return undefined;
    const paused = cluster.spec.paused !== true;
    await place.user.patch('Cluster', cluster.metadata.name, { spec: { paused } });
    return paused ? 'pauses the cluster' : 'resumes the cluster';
  },
};
