import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Group } from './groups.ts';
import type { Observed } from './observed.ts';
import { AUTHORITIES, filesOf } from './pki.ts';

/** By kind: why a derived object would do harm. */
const REQUIRED: Readonly<Record<string, string>> = {
  AWSCluster:
    'the network is made equal to its spec at once. Rules, subnets, listeners and IPv6 that a derived spec lacks would be removed, and the API could be opened to the internet',
  KubeadmConfigTemplate: 'how its machines join is not observable, and the API accepts no empty one',
};

const missingManifests = (derived: Iterable<string>): string[] =>
  [...derived].flatMap((key) => {
    const [kind = '', name] = key.split('/');
    const why = REQUIRED[kind];
    return why ? [`${kind} ${name} needs its manifest, as it was applied (-f): ${why}`] : [];
  });

/** etcd would lose a member, or get one from a machine without configuration. */
const evenControlPlanes = (groups: readonly Group[], derived: ReadonlySet<string>): string[] =>
  groups.flatMap(({ kind, owner, machines }) =>
    kind === 'KubeadmControlPlane' && machines.length % 2 === 0 && derived.has(`${kind}/${owner}`)
      ? [`${kind} ${owner} needs its manifest (-f), because it has ${machines.length} machines, an even number`]
      : [],
  );

interface Topological extends KubeObject {
  spec?: { topology?: object };
}

/** Manifests from which no plan can be made. */
export const unusableManifests = (name: string, given: readonly KubeObject[]): string[] =>
  given.flatMap((one) => {
    const { kind, apiVersion, metadata } = one;
    const title = `${kind} ${metadata.name}`;
    if (kind === 'Cluster' && metadata.name !== name)
      return [`${title} is another cluster: leave its objects out of -f`];
    if (kind === 'Cluster' && (one as Topological).spec?.topology)
      return [`${title} has spec.topology: clusters of a ClusterClass cannot be adopted, only restored from a backup`];
    if (kind === 'MachineDeployment' && apiVersion.endsWith('/v1beta1'))
      return [`${title} is in v1beta1: give it in v1beta2`];
    return [];
  });

/** What a plan is made from. */
export interface Sources {
  controlPlane: KubeObject | undefined;
  groups: readonly Group[];
  given: readonly KubeObject[];
  /** The objects without a manifest, as KIND/NAME. */
  derived: ReadonlySet<string>;
}

/** The reasons why nothing may be written. */
export const blockedBy = (seen: Observed, { controlPlane, groups, given, derived }: Sources): string[] => [
  ...(seen.silent === undefined
    ? []
    : [`the workload cluster is needed to match instances with machines: ${seen.silent}`]),
  ...(controlPlane || seen.silent !== undefined ? [] : ['no node belongs to a KubeadmControlPlane']),
  ...AUTHORITIES.filter((purpose) => !seen.pairs[purpose]).map(
    (purpose) =>
      `Secret ${seen.name}-${purpose} needs ${filesOf(purpose)} of /etc/kubernetes/pki of a control plane machine`,
  ),
  ...missingManifests(derived),
  ...evenControlPlanes(groups, derived),
  ...unusableManifests(seen.name, given),
];
