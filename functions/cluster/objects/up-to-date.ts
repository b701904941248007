import { isDeepStrictEqual } from 'node:util';
import type { BootstrapConfig } from '../../../shared/distributions/objects.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { ANNOTATION } from '../../../shared/plan/labels.ts';
import { rolloutFields } from '../../../shared/plan/workers/machine-set.ts';
import { type ClusterSnapshot, isControlledBy } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/** The bootstrap configurations of a cluster's control plane, by machine name. */
export const readConfigs = async (
  { objects }: ObjectsDependencies,
  { cluster, distribution }: ClusterSnapshot,
): Promise<ReadonlyMap<string, BootstrapConfig>> => {
  const { namespace = '', name } = cluster.metadata;
  const configs = distribution ? await objects.listOfCluster(distribution.config, namespace, name) : [];
  return new Map(configs.map((config) => [config.metadata.name, config]));
};

const controlPlaneMachineIsUpToDate = (
  { controlPlane, distribution, awsMachines }: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
  { metadata, spec }: Machine,
): boolean => {
  if (!controlPlane || !distribution) return false;
  const wanted = controlPlane.spec;
  const template = awsMachines.get(metadata.name)?.metadata.annotations?.[ANNOTATION.clonedFromName];
  const config = configs.get(metadata.name);
  return (
    spec.version === wanted.version &&
    (template === undefined || template === wanted.machineTemplate.spec.infrastructureRef.name) &&
    (config === undefined || isDeepStrictEqual(config.spec ?? {}, distribution.configSpecOf(controlPlane) ?? {}))
  );
};

/** Whether a machine is as its owner would make it today; undefined for machines without an owner. */
export const isMachineUpToDate = (
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
  machine: Machine,
): boolean | undefined => {
  if (snapshot.controlPlane && isControlledBy(machine, snapshot.controlPlane)) {
    return controlPlaneMachineIsUpToDate(snapshot, configs, machine);
  }
  const set = snapshot.sets.find((candidate) => isControlledBy(machine, candidate));
  const deployment = set && snapshot.deployments.find((candidate) => isControlledBy(set, candidate));
  return set && deployment ? rolloutFields(set) === rolloutFields(deployment) : undefined;
};
