import type { Cluster } from '../../../kinds/cluster/schema.ts';
import { LABEL } from '../../labels.ts';
import { wrapping } from '../error.ts';
import { type HookSession, withoutExtensions } from '../hooks/session.ts';
import { upgradeGates } from '../hooks/upgrade.ts';
import { upgradePlanner } from '../hooks/upgrade-plan.ts';
import { type AnyObject, type Blueprint, type CurrentTopology, TOPOLOGY_LABEL, UPGRADE_STEP } from '../objects.ts';
import { patchTopology } from '../patches/patch-topology.ts';
import type { TopologyProgress } from '../upgrade/condition.ts';
import { controlPlaneState } from '../upgrade/control-plane-state.ts';
import { planUpgrade, type UpgradePlan } from '../upgrade/plan.ts';
import {
  nextControlPlaneVersion,
  nextWorkersVersions,
  upgradeConcurrency,
  type WorkersState,
} from '../upgrade/versions.ts';
import { refTo } from './clone.ts';
import { desiredControlPlane, desiredMachineInfrastructure } from './control-plane.ts';
import { healthCheckFor } from './health-check.ts';
import { desiredInfrastructureCluster } from './infrastructure.ts';
import type { DesiredObjects } from './objects.ts';
import { desiredDeployment, desiredPool } from './workers.ts';

interface Group {
  name: string;
  metadata?: { annotations?: Record<string, string> | undefined } | undefined;
}

type Objects = ReadonlyMap<
  string,
  {
    object: { metadata: { name: string }; spec: { template?: { spec?: { version?: string | undefined } } } };
    isUpgrading: boolean;
  }
>;

const groupsOf = (groups: readonly Group[] = [], objects: Objects): WorkersState[] =>
  groups.map(({ name, metadata }) => {
    const found = objects.get(name);
    const version = found?.object.spec.template?.spec?.version ?? '';
    return {
      topologyName: name,
      current: found && { name: found.object.metadata.name, version, isUpgrading: found.isUpgrading },
      annotations: metadata?.annotations ?? {},
    };
  });

const versionsOf = (objects: Objects): string[] =>
  [...objects.values()].flatMap(({ object }) => object.spec.template?.spec?.version ?? []);

const progressOf = (
  { cluster, topology, clusterClass, controlPlane: template }: Blueprint,
  current: CurrentTopology,
  session: HookSession,
): TopologyProgress => {
  const { controlPlane, machineDeployments, machinePools } = current;
  const state = controlPlane && controlPlaneState(controlPlane);
  const desired = topology.version;
  const plan = planUpgrade({
    desired,
    controlPlane: state?.version,
    workers: [...versionsOf(machineDeployments), ...versionsOf(machinePools)],
    classVersions: clusterClass.spec.kubernetesVersions,
    askExtension: upgradePlanner(clusterClass, session, desired),
  });
  const areUpgrading = [...machineDeployments.values(), ...machinePools.values()].some((it) => it.isUpgrading);
  const progress = wrapping('failed to compute ControlPlane: failed to compute version of ControlPlane', () =>
    nextControlPlaneVersion(desired, state, plan, areUpgrading, upgradeGates(cluster, session, plan, desired)),
  );
  const concurrency = upgradeConcurrency(cluster.metadata.annotations);
  const workers = (groups: readonly Group[] | undefined, objects: Objects) =>
    nextWorkersVersions(desired, groupsOf(groups, objects), progress, plan.workers, concurrency);
  return {
    desired,
    controlPlaneKind: controlPlane?.kind ?? template.kind.replace(/Template$/, ''),
    controlPlane: progress,
    machineDeployments: workers(topology.workers?.machineDeployments, machineDeployments),
    machinePools: workers(topology.workers?.machinePools, machinePools),
    plan,
  };
};

/** Whether an upgrade is in progress. An upgrade that is delayed before it begins does not count. */
const isUpgrading = ({ controlPlane, workers }: UpgradePlan, { blocking }: HookSession): boolean =>
  controlPlane.length + workers.length > 0 && !blocking.some(({ hook }) => hook === 'BeforeClusterUpgrade');

/**
 * The cluster with its references. During an upgrade, an annotation with the version of the step allows machines with
 * that version to be created.
 */
const desiredCluster = (
  cluster: Cluster,
  infrastructure: AnyObject,
  controlPlane: AnyObject,
  { controlPlane: { version }, plan }: TopologyProgress,
  session: HookSession,
): Cluster => {
  const { [UPGRADE_STEP]: _, ...annotations } = cluster.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = cluster.metadata;
  const { name, labels } = metadata;
  const known = { ...annotations, ...(isUpgrading(plan, session) ? { [UPGRADE_STEP]: version } : {}) };
  return {
    ...cluster,
    metadata: {
      ...metadata,
      ...(Object.keys(known).length > 0 ? { annotations: known } : {}),
      labels: { ...labels, [LABEL.clusterName]: name, [TOPOLOGY_LABEL.owned]: '' },
    },
    spec: { ...cluster.spec, infrastructureRef: refTo(infrastructure), controlPlaneRef: refTo(controlPlane) },
  };
};

const fromTemplate = <T>(what: string, template: AnyObject, run: () => T): T =>
  wrapping(`failed to compute ${what}: failed to generate the ${what} object from the ${template.kind}`, run);

/** Upstream's text, except for the spelling of `MachineDeployment`. */
const failedGroup = (kind: string, name: string): string =>
  `failed to compute ${kind}s: failed to compute ${kind} for topology "${name}"`;

/**
 * All objects that a topology requires, and the state of an upgrade (exp/topology/desiredstate/desired_state.go).
 * Throws TopologyError if they cannot be computed; then nothing is changed.
 */
export const desiredTopology = (
  blueprint: Blueprint,
  current: CurrentTopology,
  session: HookSession = withoutExtensions(blueprint.cluster),
): { objects: DesiredObjects; progress: TopologyProgress } => {
  const { topology, clusterClass } = blueprint;
  const progress = progressOf(blueprint, current, session);
  const infrastructureCluster = fromTemplate('InfrastructureCluster', blueprint.infrastructureCluster, () =>
    desiredInfrastructureCluster(blueprint),
  );
  const machineInfrastructure = desiredMachineInfrastructure(blueprint, current);
  const controlPlane = fromTemplate('ControlPlane', blueprint.controlPlane, () =>
    desiredControlPlane(blueprint, machineInfrastructure, {
      version: progress.controlPlane.version,
      current: current.controlPlane,
    }),
  );
  const labels = { [TOPOLOGY_LABEL.owned]: '', [LABEL.controlPlane]: '' };
  const [check, ofClass] = [topology.controlPlane?.healthCheck, clusterClass.spec.controlPlane.healthCheck];
  const name = controlPlane.metadata.name;
  const versions = [progress.machineDeployments.versions, progress.machinePools.versions] as const;
  const objects: DesiredObjects = {
    cluster: desiredCluster(blueprint.cluster, infrastructureCluster, controlPlane, progress, session),
    infrastructureCluster,
    controlPlane,
    machineInfrastructure,
    controlPlaneHealthCheck: machineInfrastructure && healthCheckFor(name, labels, blueprint, check, ofClass),
    machineDeployments: (topology.workers?.machineDeployments ?? []).map((group) =>
      wrapping(failedGroup('MachineDeployment', group.name), () =>
        desiredDeployment(blueprint, group, current, versions[0].get(group.name) ?? topology.version),
      ),
    ),
    machinePools: (topology.workers?.machinePools ?? []).map((group) =>
      wrapping(failedGroup('MachinePool', group.name), () =>
        desiredPool(blueprint, group, current, versions[1].get(group.name) ?? topology.version),
      ),
    ),
  };
  return { objects: patchTopology(blueprint, objects, session), progress };
};
