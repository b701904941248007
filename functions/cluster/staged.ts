import type { Distribution } from '../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import type { Machine, MachineDeployment, MachineSet } from '../../shared/kinds/index.ts';
import { refersTo } from '../../shared/kinds/reference.ts';
import { minorOf, pathOf } from '../../shared/kinds/rules/bootstrap/upgrade-path.ts';
import { compareVersions, parseVersion } from '../../shared/kinds/rules/bootstrap/version.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../shared/plan/labels.ts';
import { type Stage, stageOf, type WorkerFacts, workerVersion } from '../../shared/plan/upgrade/stage.ts';
import type { ProvidedMachine } from '../../shared/providers/registry.ts';
import { controlPlaneMachines, isControlledBy } from './owners.ts';

/** The upgrade of a control plane, with its current step and its target. */
export interface Upgrade extends Stage {
  target: string;
}

/** The part of a cluster's snapshot that an upgrade over several minor versions changes, and what that depends on. */
interface StageFacts {
  controlPlane: ControlPlane | null;
  distribution: Pick<Distribution, 'stepsByMinor' | 'isOutside'> | undefined;
  deployments: MachineDeployment[];
  sets: readonly MachineSet[];
  machines: readonly Machine[];
  infrastructureMachines: ReadonlyMap<string, ProvidedMachine>;
  upgrade?: Upgrade;
}

/** Objects in snapshots with a version other than the stored one; they must not be written back. */
const staged = new WeakSet<object>();

/**
 * The starting point of a write that is based on an object of the snapshot; empty if that has another version than the
 * stored object.
 */
export const writtenFrom = <T extends KubeObject>(object: T): { from?: T } =>
  staged.has(object) ? {} : { from: object };

const inStage = <T extends object>(object: T): T => {
  staged.add(object);
  return object;
};

const isVersion = (version: string | undefined): version is string =>
  version !== undefined && parseVersion(version) !== undefined;

const deploymentOf = (snapshot: StageFacts, machine: KubeObject): MachineDeployment | undefined => {
  const set = snapshot.sets.find((one) => isControlledBy(machine, one));
  return set && snapshot.deployments.find((one) => isControlledBy(set, one));
};

const workersOf = (snapshot: StageFacts, own: ReadonlySet<KubeObject>): WorkerFacts[] =>
  snapshot.machines.flatMap((machine) => {
    const { version } = machine.spec;
    if (own.has(machine) || machine.metadata.deletionTimestamp || !isVersion(version)) return [];
    const target = deploymentOf(snapshot, machine)?.spec.template.spec.version;
    return [{ name: machine.metadata.name, version, target: isVersion(target) ? target : version }];
  });

/** Machine templates that are still in use and name an image. */
const fixedImages = (snapshot: StageFacts, controlPlane: ControlPlane): string[] => {
  const templates = [
    controlPlane.spec.machineTemplate.spec.infrastructureRef,
    ...snapshot.deployments.map(({ spec }) => spec.template.spec.infrastructureRef),
  ];
  return [...snapshot.infrastructureMachines.values()]
    .filter(({ object, provider, facts }) => {
      const template = object.metadata.annotations?.[ANNOTATION.clonedFromName];
      const isInUse = templates.some(
        (reference) => reference.name === template && refersTo(provider.machineTemplate, reference),
      );
      return facts.fixesImage && isInUse;
    })
    .map(({ object }) => object.metadata.name);
};

/**
 * The newest version that the deployment has reached. A set that is ahead of the control plane does not count: it was
 * created before the path of the control plane was determined, and has no machines.
 */
const versionOfSets = ({ sets }: StageFacts, deployment: MachineDeployment, reached: string): string | undefined =>
  sets
    .filter((set) => isControlledBy(set, deployment) && !set.metadata.deletionTimestamp)
    .map((set) => set.spec.template.spec.version)
    .filter(isVersion)
    .filter((version) => minorOf(version) <= minorOf(reached))
    .sort(compareVersions)
    .at(-1);

const stageDeployment = (snapshot: StageFacts, deployment: MachineDeployment, reached: string): MachineDeployment => {
  const { template } = deployment.spec;
  const target = template.spec.version;
  if (!isVersion(target)) return deployment;
  const version = workerVersion(target, versionOfSets(snapshot, deployment, reached), reached);
  if (version === target) return deployment;
  const spec = { ...deployment.spec, template: { ...template, spec: { ...template.spec, version } } };
  return inStage({ ...deployment, spec });
};

/**
 * The snapshot that planners see during an upgrade over several minor versions: the control plane and the deployments
 * request the version of the current step, so no planner needs to know about the other steps.
 */
export const withStage = <Facts extends StageFacts>(snapshot: Facts): Facts => {
  const { controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution || distribution.isOutside || !isVersion(controlPlane.spec.version))
    return snapshot;
  const path = pathOf(controlPlane).filter(isVersion);
  if (path.length === 0 && !distribution.stepsByMinor) return snapshot;
  const own = controlPlaneMachines(snapshot);
  const machines = own.map(({ spec }) => spec.version).filter(isVersion);
  const target = controlPlane.spec.version;
  const workers = workersOf(snapshot, new Set(own));
  const stage = stageOf({ target, path, machines, workers, fixedImages: fixedImages(snapshot, controlPlane) });
  const reached = [...machines].sort(compareVersions)[0] ?? target;
  return {
    ...snapshot,
    upgrade: { ...stage, target },
    controlPlane:
      stage.version === target
        ? controlPlane
        : inStage({ ...controlPlane, spec: { ...controlPlane.spec, version: stage.version } }),
    deployments:
      path.length === 0
        ? snapshot.deployments
        : snapshot.deployments.map((one) => stageDeployment(snapshot, one, reached)),
  };
};
