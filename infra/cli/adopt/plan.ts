import { toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { blockedBy } from './blocked.ts';
import { foundationOf } from './foundation.ts';
import { type Group, groupsOf } from './groups.ts';
import { machinesOf, type Owned } from './machines.ts';
import type { Observed } from './observed.ts';
import { AUTHORITIES } from './pki.ts';

/** The objects that an adoption would write, and the data that cannot be recovered. */
export interface AdoptionPlan {
  cluster: KubeObject;
  /** Each object comes after its owner. */
  objects: readonly Owned[];
  /** Keys of the objects that contain only what can be observed. */
  derived: ReadonlySet<string>;
  /** One line for each: what is missing, and how it can be provided. */
  unknown: readonly string[];
  /** The reasons why nothing may be written; each of them would cost machines or the network. */
  blocked: readonly string[];
}

/** By kind: the data in a derived object that the remains of a cluster do not show. */
const UNKNOWN: Readonly<Record<string, string>> = {
  KubeadmControlPlane:
    'its kubeadmConfigSpec, and settings of rollouts and remediation: new machines would start without them',
  AWSMachineTemplate:
    'how its image was looked up (the running image is used), volumes and other settings that an instance does not show',
  MachineDeployment: 'its strategy, deletion order, and the name, which is that of its set without the last part',
};

const order = ['AWSCluster', 'AWSMachineTemplate', 'KubeadmConfigTemplate', 'KubeadmControlPlane', 'MachineDeployment'];
const rank = ({ kind }: KubeObject): number => {
  const at = order.indexOf(kind);
  return at < 0 ? order.length : at;
};

/** Machines whose owner cannot be written with them. */
const leftOut = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ kind, owner, machines }) =>
    kind === 'KubeadmControlPlane' || kind === 'MachineSet'
      ? []
      : [`${kind} ${owner}: ${machines.map(({ instance }) => `instance ${instance.id}`).join(', ')}, left alone`],
  );

/** Plans from the observations. `given`: manifests of the cluster, for everything that cannot be observed. */
export const planAdoption = (seen: Observed, given: readonly KubeObject[]): AdoptionPlan => {
  const { groups, lost } = groupsOf(seen);
  const { objects: foundation, derived } = foundationOf(seen, groups, given);
  const cluster = foundation.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === seen.name);
  if (!cluster) throw new Error(`no Cluster ${seen.name}`);
  const controlPlane = foundation.find(({ kind }) => kind === 'KubeadmControlPlane');
  const byCluster = { kind: 'Cluster', name: seen.name, controls: false };
  const owner = { kind: 'KubeadmControlPlane', name: controlPlane?.metadata.name ?? '', controls: true };
  const secrets = AUTHORITIES.flatMap((purpose) => {
    const pair = seen.pairs[purpose];
    return pair ? [{ object: toSecret(seen.name, seen.namespace, purpose, pair) as KubeObject, owner }] : [];
  });
  return {
    cluster,
    objects: [
      ...foundation
        .filter((one) => one !== cluster)
        .sort((a, b) => rank(a) - rank(b))
        .map((object) => ({ object, owner: byCluster })),
      ...secrets,
      ...machinesOf(seen, groups, foundation, given),
    ],
    derived,
    unknown: [
      ...[...derived].flatMap((key) => {
        const what = UNKNOWN[key.split('/')[0] ?? ''];
        return what ? [`${key}: ${what}`] : [];
      }),
      ...lost,
      ...leftOut(groups),
    ],
    blocked: blockedBy(seen, { controlPlane, groups, given, derived: new Set(derived) }),
  };
};
