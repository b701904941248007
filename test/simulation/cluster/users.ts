import { type KubeadmControlPlane, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { UPGRADE_PATH } from '../../../shared/kinds/rules/bootstrap/upgrade-path.ts';
import { formatTime } from '../../../shared/kube-api/object.ts';
import { ANNOTATION, isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import {
  type Change,
  controlPlaneOf,
  deploymentOf,
  isChecked,
  isSpared,
  isWorker,
  live,
  newTemplate,
  onControlPlane,
  onDeployment,
  withVersion,
} from './change.ts';
import { CONTROL_PLANE, type World } from './world.ts';

const VERSIONS = ['v1.34.0', 'v1.34.2', 'v1.35.0', 'v1.35.1', 'v1.36.0'];

const SURGES = [
  { maxSurge: 1, maxUnavailable: 0 },
  { maxSurge: 0, maxUnavailable: 1 },
  { maxSurge: '50%', maxUnavailable: '25%' },
  { maxSurge: 3, maxUnavailable: 2 },
];

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

export const users: Record<string, Change> = {
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
    const name = newTemplate(world, deploymentOf(world)?.spec.template.spec.infrastructureRef.name ?? '');
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
    // Another upgrade must not start before the last one is complete.
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
  // Without health checks, a machine that etcd cannot lose would remain, because nothing replaces unresponsive
  // machines.
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
