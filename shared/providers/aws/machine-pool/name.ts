import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../kube-api/object.ts';

/** The longest name of a launch template, which is shorter than that of a group. */
const LONGEST = 128;

/**
 * The name of a pool's Auto Scaling group, and of its launch template: unique in the account and region, and always the
 * same, so that a second create finds the first. A namespace has no dot in its name.
 */
export const groupNameOf = ({ metadata: { namespace = '', name } }: Pick<KubeObject, 'metadata'>): string => {
  const full = `${namespace}.${name}`;
  if (full.length <= LONGEST) return full;
  const digest = createHash('sha256').update(full).digest('hex').slice(0, 16);
  return `${full.slice(0, LONGEST - digest.length - 1)}-${digest}`;
};

/** The namespace of the pool whose group could have this name; undefined for names that no group of a pool has. */
export const namespaceOfGroup = (group: string): string | undefined => /^([^.]+)\../.exec(group)?.[1];

/** On groups, launch templates and instances: `<namespace>/<name>` of the MachinePool's infrastructure object. */
export const POOL_TAG = 'windlass.dev/machine-pool';

export const poolTagOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  `${metadata.namespace}/${metadata.name}`;
