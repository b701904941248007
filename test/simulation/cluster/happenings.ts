import {
  type AWSMachine,
  type AWSMachineTemplate,
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type MachineDeployment,
} from '../../../shared/kinds/index.ts';
import { UPGRADE_PATH } from '../../../shared/kinds/rules/upgrade-path.ts';
import { formatTime } from '../../../shared/kube-api/object.ts';
import { ANNOTATION, isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import type { Judge } from './judge.ts';
import { nodeNameOf, setAlive, terminate } from './life.ts';
import { CONTROL_PLANE, DEPLOYMENT, type World } from './world.ts';

/** Random numbers from a seed. */
export interface Dice {
  /** An integer from 0 to below `sides`. */
  roll(sides: number): number;
  one<Item>(items: readonly Item[]): Item | undefined;
}

type Change = (world: World, dice: Dice, judge: Judge) => string | undefined;

const live = (world: World, which: (machine: Machine) => boolean): Machine[] =>
  world.objects.all(kinds.machine).filter((machine) => !machine.metadata.deletionTimestamp && which(machine));
const isWorker = (machine: Machine): boolean => !isControlPlaneMachine(machine);

const onDeployment = (world: World, change: (spec: MachineDeployment['spec']) => object): void =>
  world.objects.put<MachineDeployment>(kinds.machineDeployment, DEPLOYMENT, (current) => ({
    ...current,
    spec: { ...current.spec, ...change(current.spec) },
  }));

const onControlPlane = (world: World, change: (spec: KubeadmControlPlane['spec']) => object): void =>
  world.objects.put<KubeadmControlPlane>(kinds.kubeadmControlPlane, CONTROL_PLANE, (current) => ({
    ...current,
    spec: { ...current.spec, ...change(current.spec) } as KubeadmControlPlane['spec'],
  }));

const controlPlaneOf = (world: World) => world.objects.all(kinds.kubeadmControlPlane)[0] as KubeadmControlPlane;

/** The workers' template with the version of the control plane. */
const withVersion = (template: MachineDeployment['spec']['template'], world: World) => ({
  ...template,
  spec: { ...template.spec, version: controlPlaneOf(world).spec.version },
});

/** A copy of the template under another name, as users create one to change machines. */
const newTemplate = (world: World, of: string): string => {
  const templates = world.objects.all(kinds.awsMachineTemplate);
  const from = templates.find(({ metadata }) => metadata.name === of) ?? (templates[0] as AWSMachineTemplate);
  const name = `${of.replace(/-v\d+$/, '')}-v${templates.length}`;
  world.objects.create(kinds.awsMachineTemplate, { ...from, metadata: { namespace: 'default', name } });
  return name;
};

const VERSIONS = ['v1.34.0', 'v1.34.2', 'v1.35.0', 'v1.35.1', 'v1.36.0'];

const SURGES = [
  { maxSurge: 1, maxUnavailable: 0 },
  { maxSurge: 0, maxUnavailable: 1 },
  { maxSurge: '50%', maxUnavailable: '25%' },
  { maxSurge: 3, maxUnavailable: 2 },
];

/** Whether etcd can lose this machine's member and continue. */
const isSpared = (world: World, machine: Machine): boolean => {
  const { etcd } = world.workload;
  const id = world.instances.get(machine.metadata.uid ?? '')?.id ?? '';
  if (!etcd) return false;
  const members = etcd.members();
  const left = members.filter(({ name, alive }) => alive && name !== nodeNameOf(id)).length;
  return members.some(({ name }) => name === nodeNameOf(id)) && left > members.length / 2;
};

/** Whether health checks replace unresponsive machines. */
const isChecked = ({ objects }: World): boolean => objects.all(kinds.machineHealthCheck).length > 0;

const deleteOne = (world: World, machine: Machine | undefined): string | undefined => {
  if (!machine) return undefined;
  world.objects.remove(kinds.machine, machine.metadata.name);
  return `someone deletes machine ${machine.metadata.name}`;
};

const formedWith = (world: World, least: number): Machine[] => {
  const all = live(world, isControlPlaneMachine);
  const isWhole = all.length >= least && all.every(({ status }) => status?.nodeRef);
  return isWhole && controlPlaneOf(world).status?.initialization?.controlPlaneInitialized ? all : [];
};

const users: Record<string, Change> = {
  scaleWorkers: (world, { roll }) => {
    const replicas = roll(7);
    onDeployment(world, () => ({ replicas }));
    return `the workers are scaled to ${replicas}`;
  },
  scaleControlPlane: (world, { one }) => {
    const replicas = one([1, 3, 3, 5]);
    onControlPlane(world, () => ({ replicas }));
    return `the control plane is scaled to ${replicas}`;
  },
  changeWorkers: (world) => {
    const [deployment] = world.objects.all(kinds.machineDeployment);
    const name = newTemplate(world, deployment?.spec.template.spec.infrastructureRef.name ?? '');
    onDeployment(world, ({ template }) => ({
      template: {
        ...template,
        spec: { ...template.spec, infrastructureRef: { ...template.spec.infrastructureRef, name } },
      },
    }));
    return `the workers get template ${name}`;
  },
  changeControlPlane: (world) => {
    const name = newTemplate(world, controlPlaneOf(world).spec.machineTemplate.spec.infrastructureRef.name);
    onControlPlane(world, ({ machineTemplate }) => ({
      machineTemplate: {
        ...machineTemplate,
        spec: { ...machineTemplate.spec, infrastructureRef: { ...machineTemplate.spec.infrastructureRef, name } },
      },
    }));
    return `the control plane gets template ${name}`;
  },
  upgradeControlPlane: (world) => {
    const { version = '' } = controlPlaneOf(world).spec;
    const next = VERSIONS[VERSIONS.indexOf(version) + 1];
    // No other upgrade may start before the last one is complete.
    if (!next || live(world, isControlPlaneMachine).some(({ spec }) => spec.version !== version)) return undefined;
    onControlPlane(world, () => ({ version: next }));
    return `the control plane is upgraded to ${next}`;
  },
  upgradeByWayOf: (world) => {
    const { version = '' } = controlPlaneOf(world).spec;
    if (
      !version.startsWith('v1.34.') ||
      live(world, isControlPlaneMachine).some(({ spec }) => spec.version !== version)
    )
      return;
    world.objects.put<KubeadmControlPlane>(kinds.kubeadmControlPlane, CONTROL_PLANE, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { [UPGRADE_PATH]: 'v1.35.1' } },
      spec: { ...current.spec, version: 'v1.36.0' },
    }));
    onDeployment(world, ({ template }) => ({ template: withVersion(template, world) }));
    return 'the control plane and the workers are upgraded to v1.36.0 by way of v1.35.1';
  },
  upgradeWorkers: (world) => {
    onDeployment(world, ({ template }) => ({ template: withVersion(template, world) }));
    return `the workers are upgraded to ${controlPlaneOf(world).spec.version}`;
  },
  changeSurge: (world, { one }) => {
    const rollingUpdate = one(SURGES);
    onDeployment(world, () => ({ rollout: { strategy: { type: 'RollingUpdate', rollingUpdate } } }));
    return `the surge of the workers is ${JSON.stringify(rollingUpdate)}`;
  },
  scaleInControlPlane: (world, { one }) => {
    const maxSurge = controlPlaneOf(world).spec.replicas === 1 ? 1 : one([0, 1]);
    onControlPlane(world, () => ({ rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } } }));
    return `the surge of the control plane is ${maxSurge}`;
  },
  restartWorkers: (world) => {
    onDeployment(world, ({ rollout }) => ({ rollout: { ...rollout, after: formatTime(world.now) } }));
    return 'the workers are restarted';
  },
  restartControlPlane: (world) => {
    onControlPlane(world, ({ rollout }) => ({ rollout: { ...rollout, after: formatTime(world.now) } }));
    return 'the control plane is restarted';
  },
  pauseWorkers: (world) => {
    onDeployment(world, ({ paused }) => ({ paused: !paused }));
    return 'the rollout of the workers is paused, or goes on';
  },
  markWorker: (world, { one }) => {
    const machine = one(live(world, isWorker));
    if (!machine) return undefined;
    world.objects.put<Machine>(kinds.machine, machine.metadata.name, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { [ANNOTATION.deleteMachine]: '' } },
    }));
    return `machine ${machine.metadata.name} is marked for deletion`;
  },
  deleteWorker: (world, { one }) => deleteOne(world, one(live(world, isWorker))),
  // Without health checks, a machine that etcd cannot lose would stay, because nothing replaces those that do not answer.
  deleteControlPlaneMachine: (world, { one }) => {
    const all = formedWith(world, 1);
    return deleteOne(
      world,
      one(all.filter((machine) => all.length === 1 || isChecked(world) || isSpared(world, machine))),
    );
  },
  deleteSet: (world, { one }) => {
    const set = one(world.objects.all(kinds.machineSet));
    if (!set) return undefined;
    world.objects.remove(kinds.machineSet, set.metadata.name);
    return `someone deletes set ${set.metadata.name}`;
  },
};

const lose = (world: World, machine: Machine | undefined, { killed }: Judge): string | undefined => {
  const instance = machine && world.instances.get(machine.metadata.uid ?? '');
  if (!machine || !instance) return undefined;
  killed.add(instance.id);
  terminate(world, machine);
  world.workload.nodes.delete(nodeNameOf(instance.id));
  world.objects.put<AWSMachine>(kinds.awsMachine, machine.metadata.name, (current) => ({
    ...current,
    status: { ...current.status, ready: false, instanceState: 'terminated' } as AWSMachine['status'],
  }));
  return `the instance of machine ${machine.metadata.name} is terminated`;
};

const fate: Record<string, Change> = {
  workerFails: (world, { one }) => {
    const machine = one(live(world, isWorker));
    if (machine) setAlive(world, machine, false);
    return machine && `worker ${machine.metadata.name} does not answer`;
  },
  controlPlaneMachineFails: (world, { one }) => {
    const machine = one(live(world, isControlPlaneMachine).filter((candidate) => isSpared(world, candidate)));
    if (machine) setAlive(world, machine, false);
    return machine && `control plane machine ${machine.metadata.name} does not answer`;
  },
  workerIsLost: (world, { one }, judge) => lose(world, one(live(world, isWorker)), judge),
  // Without health checks nothing would replace it, as upstream.
  controlPlaneMachineIsLost: (world, { one }, judge) => {
    const spared = live(world, isControlPlaneMachine).filter((machine) => isSpared(world, machine));
    return isChecked(world) ? lose(world, one(spared), judge) : undefined;
  },
  recovery: (world) => {
    for (const machine of live(world, () => true)) setAlive(world, machine, true);
    return 'what did not answer answers again';
  },
  outage: ({ workload }) => {
    workload.outage = !workload.outage;
    return workload.outage ? 'the workload cluster cannot be reached' : 'the workload cluster can be reached again';
  },
};

const CHANGES = { ...users, ...fate };

/** Makes a change that no controller decided; returns its description. */
export const happen = (world: World, dice: Dice, judge: Judge): string | undefined => {
  const name = dice.one(Object.keys(CHANGES)) as keyof typeof CHANGES;
  const text = CHANGES[name]?.(world, dice, judge);
  if (text) judge.disturbed();
  return text;
};

const NO_DICE: Dice = { roll: () => 0, one: (items) => items[0] };

/** Ends all disturbances, except for those that health checks have to fix, so that the desired state can be reached. */
export const calm = (world: World, judge: Judge): void => {
  world.workload.outage = false;
  if (!isChecked(world)) fate.recovery?.(world, NO_DICE, judge);
  onDeployment(world, ({ template }) => ({ template: withVersion(template, world) }));
  onDeployment(world, () => ({ paused: false }));
  judge.disturbed();
};
