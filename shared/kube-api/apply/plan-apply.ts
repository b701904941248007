import { isDeepStrictEqual } from 'node:util';
import { withoutUndefined } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { toStorage } from '../versions/convert.ts';
import { acceptConfig } from './accept-config.ts';
import { type Applied, applyConfig } from './apply-config.ts';

/** The effects that an apply would have. */
export interface PlannedApply {
  /** The object as it would be, with defaults and managedFields: the same apply to it changes nothing. */
  object: KubeObject;
  /** Whether anything would be written, even if only the manager of a field changes. */
  changes: boolean;
  changesSpec: boolean;
}

const specOf = (object: KubeObject): unknown => (object as KubeObject & { spec?: unknown }).spec;

const defaulted = (resource: ResourceDefinition, object: KubeObject): KubeObject => {
  const complete = applyDefaults(withMetadata(resource.schema), object) as KubeObject;
  const view = resource.view?.version.default?.(complete);
  return withoutUndefined(view ?? resource.default?.(complete, undefined) ?? complete);
};

const asStored = ({ view }: ResourceDefinition, object: KubeObject): KubeObject =>
  view ? toStorage(view, object) : object;

const resultOf = (resource: ResourceDefinition, live: KubeObject | undefined, applied: Applied): KubeObject => {
  const object = defaulted(resource, applied.object as unknown as KubeObject);
  const managedFields = applied.settle(asStored(resource, object), live && asStored(resource, live));
  return { ...object, metadata: { ...object.metadata, managedFields } };
};

/**
 * The result of a forced server-side apply of `intent` to the live object; undefined as `live`: it would be created.
 * Admission rules are not evaluated, so that changes of immutable fields can be detected. Pure; throws a StatusError
 * 400 for an intent that does not match the schema.
 */
export const planApply = (
  resource: ResourceDefinition,
  live: KubeObject | undefined,
  intent: KubeObject,
  manager: string,
  now: Date,
): PlannedApply => {
  const { name, namespace = '' } = intent.metadata;
  const config = acceptConfig(resource, { namespace, name }, intent);
  const applier = { manager, force: true, subresource: '', scope: 'main' } as const;
  const applied = applyConfig(resource, live, config, applier, now);
  if (!applied) return { object: live ?? intent, changes: false, changesSpec: false };
  const object = resultOf(resource, live, applied);
  const changesSpec = !live || !isDeepStrictEqual(specOf(object), specOf(defaulted(resource, live)));
  return { object, changes: true, changesSpec };
};
