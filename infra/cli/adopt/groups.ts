/** The owners of a cluster's instances, by its nodes. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../../shared/plan/labels.ts';
import type { Observed, ObservedInstance, ObservedNode } from './observed.ts';

/** An instance with its node: a machine whose objects can be recreated. */
export interface Found {
  /** The name of the Machine. */
  name: string;
  instance: ObservedInstance;
  node: ObservedNode;
}

/** Machines of the same owner. */
export interface Group {
  kind: string;
  owner: string;
  machines: Found[];
}

export interface Groups {
  groups: Group[];
  /** Instances whose Machine is unknown. */
  lost: string[];
}

/** A bastion has the cluster's tags as well, and no machine. */
const isMachine = ({ tags }: ObservedInstance): boolean =>
  tags.MachineName !== undefined || tags['sigs.k8s.io/cluster-api-provider-aws/role'] !== 'bastion';

export const groupsOf = ({ instances, nodes }: Observed): Groups => {
  const byInstance = new Map(nodes.map((node) => [node.providerID.split('/').at(-1) ?? '', node]));
  const groups = new Map<string, Group>();
  const lost: string[] = [];
  for (const instance of instances.filter(isMachine)) {
    const node = byInstance.get(instance.id);
    const {
      [ANNOTATION.nodeMachine]: name,
      [ANNOTATION.nodeOwnerKind]: kind,
      [ANNOTATION.nodeOwnerName]: owner,
    } = node?.annotations ?? {};
    if (!node || !name || !kind || !owner) {
      const why = node ? `its node ${node.name} does not name its Machine` : 'it has no node';
      lost.push(
        `instance ${instance.id} (${instance.tags.MachineName ?? instance.tags.Name ?? 'without a name'}): ${why}`,
      );
      continue;
    }
    const key = `${kind}/${owner}`;
    const group = groups.get(key) ?? { kind, owner, machines: [] };
    groups.set(key, group);
    group.machines.push({ name, instance, node });
  }
  return { groups: [...groups.values()].sort((a, b) => (a.owner < b.owner ? -1 : 1)), lost };
};

/**
 * The deployment to which a set belonged: a given one whose name is a prefix of the set's, or else the set's name
 * without its suffix.
 */
export const deploymentOf = (set: string, given: readonly KubeObject[]): string => {
  const named = given
    .filter(({ kind, metadata }) => kind === 'MachineDeployment' && set.startsWith(`${metadata.name}-`))
    .map(({ metadata }) => metadata.name)
    .sort((a, b) => b.length - a.length);
  return named[0] ?? set.replace(/-[^-]+$/, '');
};

/** The oldest version among machines: adoption itself must not start an upgrade. */
export const oldestVersion = (machines: readonly Found[]): string =>
  machines.map(({ node }) => node.version).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0] ?? '';
