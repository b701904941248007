/** Maps the roles of a cluster's objects to their generated names. */
import type { Any, Provider } from './story.ts';

const GROUP_LABELS = {
  MachineDeployment: 'topology.cluster.x-k8s.io/deployment-name',
  MachinePool: 'topology.cluster.x-k8s.io/pool-name',
} as const;

/** For example `md-0` or `pool mp-0`. */
const roleOf = ({ kind, metadata }: Any): string => {
  const name = metadata.labels[GROUP_LABELS[kind as keyof typeof GROUP_LABELS]];
  return kind === 'MachinePool' ? `pool ${name}` : name;
};

export const namesOf = (cluster: Any, controlPlane: Any, groups: readonly Any[]): Record<string, string> => {
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const ofGroups = groups.flatMap((one): [string, string][] => {
    const role = roleOf(one);
    const { bootstrap, infrastructureRef: machines } = one.spec.template.spec;
    return [
      [role, one.metadata.name],
      [`${role} bootstrap`, bootstrap.configRef.name],
      [`${role} machines`, machines.name],
    ];
  });
  const names = {
    infrastructure: infrastructureRef?.name,
    'control plane': controlPlaneRef?.name,
    'control plane machines': controlPlane?.spec.machineTemplate?.spec?.infrastructureRef?.name,
    ...Object.fromEntries(ofGroups),
  };
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined));
};

const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]{5}';

/** Replaces the random parts of a name, which are between dashes or at the end of a truncated name. */
export const patternOf = (name: string): string =>
  name.replaceAll(new RegExp(`(?<=^|-)${RANDOM}(?=-|$)|${RANDOM}$`, 'g'), '<random>');

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Replaces generated names with roles, the in-memory infrastructure's kinds with AWS's, and uids with a placeholder.
 */
export const comparable = <T>(value: T, names: Readonly<Record<string, string>>, provider: Provider): T => {
  // Replaces longer names first, because one name may be the beginning of another.
  const sorted = Object.entries(names).sort(([, a], [, b]) => b.length - a.length);
  const text = sorted.reduce(
    (all, [role, name]) => all.replaceAll(new RegExp(`${escaped(name)}(?![a-z0-9-])`, 'g'), `<${role}>`),
    JSON.stringify(value) ?? 'null',
  );
  const kinds = provider === 'AWS' ? text : text.replaceAll(/\bDev(?=Cluster|Machine)/g, 'AWS');
  return JSON.parse(kinds.replaceAll(/"uid":"[^"]*"/g, '"uid":"<uid>"')) as T;
};
