import { isObject, type JsonObject } from '../../../kube-api/json.ts';
import { LABEL } from '../../labels.ts';
import {
  type AnyObject,
  type Blueprint,
  type CurrentTopology,
  mergeTexts,
  ownedBy,
  TOPOLOGY_LABEL,
} from '../objects.ts';
import { type Path, valueAt, withValue } from '../path.ts';
import { objectFrom, refTo, templateFrom } from './clone.ts';
import { namedBy, simpleName } from './names.ts';

const DEFAULT_NAME = '{{ .cluster.name }}-{{ .random }}';
const MACHINE: Path = ['spec', 'machineTemplate'];

/** The paths of the control plane's fields that the topology sets, according to the contract that it implements. */
export const controlPlanePaths = (contract: Blueprint['contract']) => {
  const inner = contract === 'v1beta1' ? MACHINE : [...MACHINE, 'spec'];
  return {
    metadata: [...MACHINE, 'metadata'],
    infrastructureRef: [...inner, 'infrastructureRef'],
    readinessGates: [...inner, 'readinessGates'],
    taints: [...inner, 'taints'],
    timeouts: contract === 'v1beta1' ? MACHINE : [...inner, 'deletion'],
    replicas: ['spec', 'replicas'],
    rolloutAfter: ['spec', 'rollout', 'after'],
    version: ['spec', 'version'],
  } as const;
};

const TIMEOUTS = ['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'] as const;

/** Fields that patches do not change, of both contracts (updateDesiredState in patches/engine.go). */
export const PRESERVED: readonly Path[] = (['v1beta1', 'v1beta2'] as const).flatMap((contract) => {
  const { timeouts, ...paths } = controlPlanePaths(contract);
  const unit = contract === 'v1beta1' ? '' : 'Seconds';
  return [...Object.values(paths), ...TIMEOUTS.map((timeout) => [...timeouts, `${timeout}${unit}`])];
});

const withTimeouts = (controlPlane: AnyObject, { topology, clusterClass, contract }: Blueprint): AnyObject => {
  const paths = controlPlanePaths(contract);
  const ofClass = clusterClass.spec.controlPlane.deletion;
  const ofTopology = topology.controlPlane?.deletion;
  let timed = controlPlane;
  for (const timeout of TIMEOUTS) {
    const seconds = ofTopology?.[`${timeout}Seconds`] ?? ofClass?.[`${timeout}Seconds`];
    if (seconds === undefined) continue;
    const [key, value] = contract === 'v1beta1' ? [timeout, `${seconds}s`] : [`${timeout}Seconds`, seconds];
    timed = withValue({ ...timed }, [...paths.timeouts, key], value) as unknown as AnyObject;
  }
  return timed;
};

const labelsAt = (object: AnyObject, path: Path): Record<string, string> => {
  const value = valueAt(object, path);
  return isObject(value) ? (value as Record<string, string>) : {};
};

const groupOf = (apiVersion: unknown): string => String(apiVersion).split('/')[0] ?? '';

/**
 * The reference to the template of the machines. In v1beta1 it has a version, which the control plane's provider may
 * raise. The current version is kept, so that the two do not keep undoing each other's writes
 * (calculateRefDesiredAPIVersion).
 */
const machinesRef = (machines: AnyObject, contract: Blueprint['contract'], current: unknown) => {
  if (contract !== 'v1beta1') return refTo(machines);
  const { kind, metadata } = machines;
  const isSame =
    isObject(current) && current.kind === kind && groupOf(current.apiVersion) === groupOf(machines.apiVersion);
  const apiVersion = isSame ? current.apiVersion : machines.apiVersion;
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
};

/** The infrastructure of the control plane's machines, and its labels and annotations, which the machines also get. */
const withMachines = (
  controlPlane: AnyObject,
  { machines, current }: { machines: AnyObject; current: AnyObject | undefined },
  { contract }: Blueprint,
  metadata: { labels: Record<string, string>; annotations: Record<string, string> },
): AnyObject => {
  const paths = controlPlanePaths(contract);
  const ref = machinesRef(machines, contract, valueAt(current, paths.infrastructureRef));
  const labels = mergeTexts(metadata.labels, labelsAt(controlPlane, [...paths.metadata, 'labels']));
  const annotations = mergeTexts(metadata.annotations, labelsAt(controlPlane, [...paths.metadata, 'annotations']));
  const withRef = withValue({ ...controlPlane }, paths.infrastructureRef, ref);
  return withValue(withRef, paths.metadata, {
    labels,
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  }) as unknown as AnyObject;
};

/** The template for machines of the control plane; undefined if the class has none. */
export const desiredMachineInfrastructure = (blueprint: Blueprint, current: CurrentTopology): AnyObject | undefined => {
  const { cluster, machineInfrastructure: template, contract } = blueprint;
  if (!template) return undefined;
  const ref = valueAt(current.controlPlane, controlPlanePaths(contract).infrastructureRef);
  const { name, namespace = '' } = cluster.metadata;
  return templateFrom({
    template,
    name: isObject(ref) ? String(ref.name) : simpleName(cluster, `${name}-`, 'control-plane-machines'),
    namespace,
    clusterName: name,
    owner: ownedBy(cluster),
  });
};

/**
 * The control plane with the version of this pass (computeControlPlane). It has no owner: it is reconciled once the
 * cluster refers to it.
 */
export const desiredControlPlane = (
  blueprint: Blueprint,
  machines: AnyObject | undefined,
  { version, current }: { version: string; current: AnyObject | undefined },
): AnyObject => {
  const { cluster, topology, clusterClass, contract } = blueprint;
  const [wanted, ofClass] = [topology.controlPlane ?? {}, clusterClass.spec.controlPlane];
  const { name, namespace = '' } = cluster.metadata;
  const labels = {
    ...mergeTexts(wanted.metadata?.labels, ofClass.metadata?.labels),
    [LABEL.clusterName]: name,
    [TOPOLOGY_LABEL.owned]: '',
  };
  const annotations = mergeTexts(wanted.metadata?.annotations, ofClass.metadata?.annotations);
  const kind = blueprint.controlPlane.kind.replace(/Template$/, '');
  const generated = namedBy(cluster, kind, { template: ofClass.naming?.template ?? DEFAULT_NAME }, 'control-plane');
  const object = objectFrom({
    template: blueprint.controlPlane,
    name: cluster.spec.controlPlaneRef?.name ?? generated,
    namespace,
    clusterName: name,
    labels,
    annotations,
  });
  const paths = controlPlanePaths(contract);
  const complete = machines ? withMachines(object, { machines, current }, blueprint, { labels, annotations }) : object;
  const values: [Path, unknown][] = [
    [paths.replicas, wanted.replicas],
    [paths.rolloutAfter, wanted.rollout?.after],
    [paths.readinessGates, wanted.readinessGates ?? ofClass.readinessGates],
    [paths.taints, wanted.taints ?? ofClass.taints],
    [paths.version, version],
  ];
  const set = values.reduce<JsonObject>((at, [path, value]) => withValue(at, path, value), {
    ...withTimeouts(complete, blueprint),
  });
  return set as unknown as AnyObject;
};
