import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../kube-api/object.ts';
import { readGroupMemory } from './memory.ts';

/** The maximum length of a launch template's name, which is shorter than that of a group. */
const LONGEST = 128;

/**
 * The name of the group and the template in Cluster API's AWS provider. It is the same for pools with the same name in
 * two namespaces.
 */
export const upstreamName = ({ metadata }: Pick<KubeObject, 'metadata'>): string => metadata.name;

/**
 * The name of a pool's Auto Scaling group and of its launch template. It is unique in the account and region, and
 * always the same, so that a second create finds the first one's result. The name of a namespace contains no dot.
 * Resources that were taken over keep their name.
 */
export const groupNameOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  readGroupMemory({ metadata }).name ?? ownName(metadata);

const ownName = ({ namespace = '', name }: KubeObject['metadata']): string => {
  const full = `${namespace}.${name}`;
  if (full.length <= LONGEST) return full;
  const digest = createHash('sha256').update(full).digest('hex').slice(0, 16);
  return `${full.slice(0, LONGEST - digest.length - 1)}-${digest}`;
};

/** The form of Windlass's own names: a namespace, which contains no dot, and the name of an object. */
const OWN_NAME = /^([a-z0-9-]+)\.([a-z0-9][a-z0-9.-]*)$/;

/** The possible pool of a group. Without a name, it may be any pool of the namespace. */
interface LikelyPool {
  namespace: string;
  name?: string;
}

/**
 * The pool for which Windlass may have created a group with this name, or only its namespace if the name may be
 * shortened; undefined if Windlass does not create names of this form. A group that was taken over may have any name.
 */
export const likelyPoolOf = (group: string): LikelyPool | undefined => {
  const [, namespace, name] = OWN_NAME.exec(group) ?? [];
  if (!namespace || !name) return undefined;
  return group.length < LONGEST ? { namespace, name } : { namespace };
};

/** The value of POOL_TAG. */
export const poolTagOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  `${metadata.namespace}/${metadata.name}`;
