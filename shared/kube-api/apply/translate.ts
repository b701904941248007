import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { withMetadata } from '../schema/metadata.ts';
import { fromStorage, toStorage } from '../versions/convert.ts';
import { compare } from './compare.ts';
import { type FieldSet, union } from './field-set.ts';
import type { Manager } from './managers.ts';
import { definitionIn } from './perspective.ts';
import { remove } from './remove.ts';
import { withoutServerFields } from './scopes.ts';

const storedOf = ({ view }: ResourceDefinition, object: KubeObject): KubeObject =>
  view ? toStorage(view, object) : object;

const seenIn = ({ view }: ResourceDefinition, stored: KubeObject): KubeObject =>
  view ? fromStorage(view, stored) : stored;

/**
 * What the manager owns of `live` (an object of the version of `resource`), by the names of that version: what is
 * not there any more, or another, once its fields are taken away in the version that it wrote.
 */
export const translated = (
  resource: ResourceDefinition,
  live: KubeObject,
  { apiVersion, set }: Pick<Manager, 'apiVersion' | 'set'>,
): FieldSet => {
  if (apiVersion === live.apiVersion) return set;
  const theirs = definitionIn(resource.view?.storage ?? resource, apiVersion);
  const whole = seenIn(theirs, storedOf(resource, live));
  const rest = remove(withMetadata(theirs.schema), whole, set) as KubeObject;
  const here = (object: KubeObject): KubeObject => seenIn(resource, storedOf(theirs, object));
  const { removed, modified } = compare(withMetadata(resource.schema), here(whole), here(rest));
  return withoutServerFields(union(removed, modified));
};
