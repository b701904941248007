import { apiVersionOf } from '../decode.ts';
import type { KubeObject } from '../object.ts';
import type { Conversions, ResourceDefinition } from '../resource.ts';
import { type Scaled, scaleOf, withScale } from '../scale.ts';
import { fromStorage, toStorage } from '../versions/convert.ts';
import { servedResources } from '../versions/served.ts';

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** A form in which webhooks and policies see the object of a request: its kind in one of the served versions. */
export interface Form {
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  /** Converts the object to this form. */
  show(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Converts a changed object in this form back; `object` is the object before the change. */
  take(changed: KubeObject, object: KubeObject): KubeObject | Promise<KubeObject>;
}

const plain = (resource: ResourceDefinition, conversions: Conversions | undefined): Pick<Form, 'show' | 'take'> => {
  const { view } = resource;
  if (view) return { show: (object) => fromStorage(view, object), take: (changed) => toStorage(view, changed) };
  const apiVersion = apiVersionOf(resource);
  if (conversions) {
    const inVersion = (object: KubeObject, wanted: string) => conversions.run(() => conversions.see(object, wanted));
    return {
      show: (object) => inVersion(object, apiVersion),
      take: (changed, object) => inVersion(changed, object.apiVersion),
    };
  }
  return {
    show: (object) => ({ ...object, apiVersion }),
    take: (changed, object) => ({ ...changed, apiVersion: object.apiVersion }),
  };
};

const scaleForm = (resource: Scaled): Pick<Form, 'show' | 'take'> => ({
  show: (object) => scaleOf(resource.scale, object) as unknown as KubeObject,
  take: (changed, object) => withScale(resource, object, changed) as unknown as KubeObject,
});

const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

const formOf = (
  resource: ResourceDefinition,
  subresource: string | undefined,
  conversions: Conversions | undefined,
): Form => {
  const { group, version, kind, plural, scale } = resource;
  const names = { kind: { group, version, kind }, resource: { group, version, resource: plural } };
  if (subresource === 'scale' && scale) return { ...names, kind: SCALE, ...scaleForm({ ...resource, scale }) };
  return { ...names, ...plain(resource, conversions) };
};

const versions = new WeakMap<ResourceDefinition, readonly ResourceDefinition[]>();

/** All served versions of a kind. Those of built-in kinds are created once. */
const versionsOf = (resource: ResourceDefinition): readonly ResourceDefinition[] => {
  if (resource.custom) return resource.custom.served();
  const known = versions.get(resource) ?? servedResources([resource]);
  versions.set(resource, known);
  return known;
};

/**
 * The forms of an object of `stored`, the definition by which it is written: first that of the request, then those of
 * all other versions.
 */
export const formsOf = (
  stored: ResourceDefinition,
  requested: ResourceDefinition,
  subresource: string | undefined,
): readonly Form[] => {
  const isRequested = (one: ResourceDefinition): boolean =>
    one.group === requested.group && one.version === requested.version;
  const all = versionsOf(stored);
  const [first = stored] = all.filter(isRequested);
  return [first, ...all.filter((one) => one !== first)].map((one) =>
    formOf(one, subresource, stored.custom?.conversions),
  );
};
