/** The parts of a scenario's changes: the objects that users write, and facts about machines. */
import {
  type AWSMachineTemplate,
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type MachineDeployment,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import type { Judge } from './judge.ts';
import { nodeNameOf } from './life.ts';
import { CONTROL_PLANE, type World } from './world.ts';

/** Random numbers from a seed. */
export interface Dice {
  /** An integer from 0 to `sides` - 1. */
  roll(sides: number): number;
  one<Item>(items: readonly Item[]): Item | undefined;
}

/** Makes a change. Returns its description, or nothing if the change was not possible. */
export type Change = (world: World, dice: Dice, judge: Judge) => string | undefined;

export const live = (world: World, which: (machine: Machine) => boolean): Machine[] =>
  world.objects.all(kinds.machine).filter((machine) => !machine.metadata.deletionTimestamp && which(machine));
export const isWorker = (machine: Machine): boolean => !isControlPlaneMachine(machine);

/** The deployment to which the next change applies. */
export const deploymentOf = ({ objects, deployment }: World): MachineDeployment | undefined =>
  objects.all(kinds.machineDeployment).find(({ metadata }) => metadata.name === deployment);

export const onDeployment = (world: World, change: (spec: MachineDeployment['spec']) => object): void =>
  world.objects.put<MachineDeployment>(kinds.machineDeployment, world.deployment, (current) => ({
    ...current,
    spec: { ...current.spec, ...change(current.spec) },
  }));

export const onControlPlane = (world: World, change: (spec: KubeadmControlPlane['spec']) => object): void =>
  world.objects.put<KubeadmControlPlane>(kinds.kubeadmControlPlane, CONTROL_PLANE, (current) => ({
    ...current,
    spec: { ...current.spec, ...change(current.spec) } as KubeadmControlPlane['spec'],
  }));

export const controlPlaneOf = (world: World) => world.objects.all(kinds.kubeadmControlPlane)[0] as KubeadmControlPlane;

/** The workers' template with the version of the control plane. */
export const withVersion = (template: MachineDeployment['spec']['template'], world: World) => ({
  ...template,
  spec: { ...template.spec, version: controlPlaneOf(world).spec.version },
});

/** A copy of the template with another name, which users create to change machines. */
export const newTemplate = (world: World, of: string): string => {
  const templates = world.objects.all(kinds.awsMachineTemplate);
  const from = templates.find(({ metadata }) => metadata.name === of) ?? (templates[0] as AWSMachineTemplate);
  const name = `${of.replace(/-v\d+$/, '')}-v${templates.length}`;
  world.objects.create(kinds.awsMachineTemplate, { ...from, metadata: { namespace: 'default', name } });
  return name;
};

/** Whether etcd keeps its quorum without this machine's member. */
export const isSpared = (world: World, machine: Machine): boolean => {
  const { etcd } = world.workload;
  const id = world.instances.get(machine.metadata.uid ?? '')?.id ?? '';
  if (!etcd) return false;
  const members = etcd.members();
  // A learner has no vote.
  const voters = members.filter(({ learner }) => !learner);
  const left = voters.filter(({ name, alive }) => alive && name !== nodeNameOf(id)).length;
  return members.some(({ name }) => name === nodeNameOf(id)) && left > voters.length / 2;
};

/** Whether health checks replace unresponsive machines. */
export const isChecked = ({ objects }: World): boolean => objects.all(kinds.machineHealthCheck).length > 0;

/** Adds the annotation, or removes it if the object has it. */
export const toggled = <T extends KubeObject>({ metadata, ...rest }: T, annotation: string): T => {
  const { [annotation]: present, ...others } = metadata.annotations ?? {};
  const annotations = present === undefined ? { ...others, [annotation]: '' } : others;
  return { ...rest, metadata: { ...metadata, annotations } } as T;
};
