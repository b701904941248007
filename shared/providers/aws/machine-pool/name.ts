import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../kube-api/object.ts';
import { readGroupMemory } from './memory.ts';

/** The maximum length of a launch template's name, which is shorter than that of a group. */
const LONGEST = 128;

/** What Cluster API's AWS provider calls the group and the template: the same for pools of one name in two namespaces. */
export const upstreamName = ({ metadata }: Pick<KubeObject, 'metadata'>): string => metadata.name;

/**
 * The name of a pool's Auto Scaling group, and of its launch template: unique in the account and region, and always the
 * same, so that a second create finds the first. A namespace has no dot in its name. What was taken over keeps its name.
 */
export const groupNameOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  readGroupMemory({ metadata }).name ?? ownName(metadata);

const ownName = ({ namespace = '', name }: KubeObject['metadata']): string => {
  const full = `${namespace}.${name}`;
  if (full.length <= LONGEST) return full;
  const digest = createHash('sha256').update(full).digest('hex').slice(0, 16);
  return `${full.slice(0, LONGEST - digest.length - 1)}-${digest}`;
};

/** What Windlass's own names look like: a namespace, which has no dot, and the name of an object. */
const OWN_NAME = /^([a-z0-9-]+)\.([a-z0-9][a-z0-9.-]*)$/;

/** Where the pool of a group may be; without a name, any of the namespace. */
interface LikelyPool {
  namespace: string;
  name?: string;
}

/**
 * The pool for which Windlass could have created a group of this name, only its namespace if the name may be shortened;
 * undefined if it creates none of this form. A group that was taken over may have any name.
 */
export const likelyPoolOf = (group: string): LikelyPool | undefined => {
  const [, namespace, name] = OWN_NAME.exec(group) ?? [];
  if (!namespace || !name) return undefined;
  return group.length < LONGEST ? { namespace, name } : { namespace };
};

/** The value of POOL_TAG. */
export const poolTagOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  `${metadata.namespace}/${metadata.name}`;
