import { isDeepStrictEqual } from 'node:util';
import { type KubeadmControlPlane, kinds, type Machine, type MachineDeployment } from '../../../shared/kinds/index.ts';
import { readNotice } from '../../../shared/plan/instance-events/notice.ts';
import { ANNOTATION, isControlPlaneMachine, LABEL } from '../../../shared/plan/labels.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import type { World } from './world.ts';

interface Wanted {
  replicas: number;
  version: string | undefined;
  template: string;
  /** The fields that are updated in place. */
  inPlace: InPlace;
}

interface InPlace {
  tier: string | undefined;
  drainSeconds: number | undefined;
}

interface Templated {
  metadata?: { labels?: Record<string, string> };
  spec: { deletion?: { nodeDrainTimeoutSeconds?: number } };
}

const inPlaceOf = ({ metadata, spec }: Templated): InPlace => ({
  tier: metadata?.labels?.tier,
  drainSeconds: spec.deletion?.nodeDrainTimeoutSeconds,
});

const compare = (world: World, what: string, machines: readonly Machine[], wanted: Wanted): string[] => {
  const infrastructure = new Map(world.objects.all(kinds.awsMachine).map((one) => [one.metadata.name, one]));
  const templateOf = ({ metadata }: Machine) =>
    infrastructure.get(metadata.name)?.metadata.annotations?.[ANNOTATION.clonedFromName];
  const wrong = machines.flatMap((machine) => [
    ...(machine.metadata.deletionTimestamp ? [`${machine.metadata.name} is still being deleted`] : []),
    ...(isTrue(machine.status?.conditions, 'Available') ? [] : [`${machine.metadata.name} is not available`]),
    ...(machine.spec.version === wanted.version
      ? []
      : [`${machine.metadata.name} has version ${machine.spec.version}`]),
    ...(templateOf(machine) === wanted.template
      ? []
      : [`${machine.metadata.name} has template ${templateOf(machine)}`]),
    ...(readNotice(machine) ? [`${machine.metadata.name} is at risk`] : []),
    ...(isDeepStrictEqual(inPlaceOf(machine), wanted.inPlace)
      ? []
      : [`${machine.metadata.name} has ${JSON.stringify(inPlaceOf(machine))}, not ${JSON.stringify(wanted.inPlace)}`]),
  ]);
  const count =
    machines.length === wanted.replicas ? [] : [`${machines.length} ${what}, ${wanted.replicas} are wanted`];
  return [...count, ...wrong];
};

/** The nodes of the control plane whose components do not have the desired version. */
const outOfStep = (world: World, version: string | undefined): string[] =>
  [...world.workload.nodes.values()]
    .filter(({ controlPlane, components }) => controlPlane && components !== version)
    .map(({ name, components }) => `the control plane on ${name} has version ${components}, ${version} is wanted`);

const leftovers = (world: World): string[] => {
  const names = new Set(world.objects.all(kinds.machine).map(({ metadata }) => metadata.name));
  const instances = new Set(
    world.objects.all(kinds.machine).map(({ metadata }) => world.instances.get(metadata.uid ?? '')?.id),
  );
  const objects = [...world.objects.all(kinds.awsMachine), ...world.objects.all(kinds.kubeadmConfig)];
  const nodes = [...world.workload.nodes.values()].filter(({ name }) => !instances.has(name.replace(/^node-/, '')));
  const members = world.workload.etcd?.names() ?? [];
  const controlPlane = world.objects.all(kinds.machine).filter(isControlPlaneMachine).length;
  return [
    ...objects.filter((o) => !names.has(o.metadata.name)).map((o) => `${o.kind} ${o.metadata.name} has no machine`),
    ...nodes.map(({ name }) => `node ${name} has no instance`),
    ...(members.length === controlPlane ? [] : [`etcd has ${members.length} members, ${controlPlane} machines`]),
  ];
};

/** The differences of a deployment's workers from its desired state. */
const unmetBy = (world: World, deployment: MachineDeployment, machines: readonly Machine[]): string[] => {
  const { replicas = 1, template } = deployment.spec;
  const { version, failureDomain, infrastructureRef } = template.spec;
  const inPlace = inPlaceOf(template as Templated);
  const sets = world.objects
    .all(kinds.machineSet)
    .filter(({ metadata }) => metadata.labels?.[LABEL.deploymentName] === deployment.metadata.name);
  const elsewhere = machines.filter(({ spec }) => failureDomain && spec.failureDomain !== failureDomain);
  return [
    ...compare(world, 'workers', machines, { replicas, version, template: infrastructureRef.name, inPlace }),
    ...elsewhere.map(({ metadata }) => `${metadata.name} is not in failure domain ${failureDomain}`),
    ...(sets.length === 1 ? [] : [`${sets.length} sets of ${deployment.metadata.name} are left`]),
  ];
};

/** The control plane machines whose certificates expire earlier than the control plane allows. */
const expiring = (world: World, owner: KubeadmControlPlane | undefined): string[] => {
  const days = owner?.spec.rollout?.before?.certificatesExpiryDays;
  if (days === undefined) return [];
  const least = world.now.getTime() + days * 24 * 60 * 60 * 1000;
  return world.objects
    .all(kinds.machine)
    .filter(({ status }) => Date.parse(status?.certificatesExpiryDate ?? '') < least)
    .map(({ metadata }) => `the certificates of ${metadata.name} expire soon`);
};

/** The differences from the objects' desired state; none at the end of a scenario. */
export const unmet = (world: World): string[] => {
  const machines = world.objects.all(kinds.machine);
  const [owner] = world.objects.all(kinds.kubeadmControlPlane) as KubeadmControlPlane[];
  const ofControlPlane = {
    replicas: owner?.spec.replicas ?? 1,
    version: owner?.spec.version,
    template: owner?.spec.machineTemplate.spec.infrastructureRef.name ?? '',
    inPlace: inPlaceOf((owner?.spec.machineTemplate ?? { spec: {} }) as Templated),
  };
  const workers = Map.groupBy(
    machines.filter((machine) => !isControlPlaneMachine(machine)),
    ({ metadata }) => metadata.labels?.[LABEL.deploymentName],
  );
  const deployments = world.objects.all(kinds.machineDeployment);
  const lost = [...workers.keys()].filter((name) => !deployments.some(({ metadata }) => metadata.name === name));
  return [
    ...deployments.flatMap((deployment) => unmetBy(world, deployment, workers.get(deployment.metadata.name) ?? [])),
    ...lost.map((name) => `workers of ${name} are left`),
    ...compare(world, 'control plane machines', machines.filter(isControlPlaneMachine), ofControlPlane),
    ...outOfStep(world, ofControlPlane.version),
    ...expiring(world, owner),
    ...leftovers(world),
  ];
};
