import { createHash } from 'node:crypto';
import type { ClusterResourceSet, ConfigMap, Secret } from '../../kinds/index.ts';

/** The only type of Secret whose contents are treated as manifests. */
export const RESOURCE_SET_SECRET = 'addons.cluster.x-k8s.io/resource-set';

export type ResourceRef = ClusterResourceSet['spec']['resources'][number];

/** A ConfigMap or Secret that a ClusterResourceSet names, as it was read; `object` is missing if it does not exist. */
export interface Source {
  ref: ResourceRef;
  object: ConfigMap | Secret | undefined;
}

/** Its name in messages. */
export const nameOf = ({ kind, name }: ResourceRef): string => `${kind} ${name}`;

/** Whether the reference is to a Secret without manifests. */
export const isWrongSecret = ({ ref, object }: Source): boolean =>
  ref.kind === 'Secret' && object !== undefined && (object as Secret).type !== RESOURCE_SET_SECRET;

/** The values under `data`, by key, in the order of the keys; undefined if the object has none. */
export const valuesOf = ({ ref, object }: Source): ReadonlyMap<string, Buffer> | undefined => {
  if (!object?.data) return undefined;
  const encoding = ref.kind === 'Secret' ? 'base64' : 'utf8';
  const entries = Object.entries(object.data).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(entries.map(([key, value]) => [key, Buffer.from(value, encoding)]));
};

/** The identification of the contents in a binding: the SHA-256 of all values, one after the other. */
export const hashOf = (values: ReadonlyMap<string, Buffer>): string => {
  const hash = createHash('sha256');
  for (const value of values.values()) hash.update(value);
  return `sha256:${hash.digest('hex')}`;
};
