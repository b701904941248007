import { ConversionError } from '../custom/conversion/error.ts';
import type { Scope, Track } from '../registry/admission.ts';
import type { ResourceDefinition } from '../resource.ts';
import { trackUpdate, type Updater } from './track.ts';

/** The writer, as managedFields name it. */
export interface FieldManager {
  name: string;
  /** If the write has an endpoint of its own: `/scale` and `/finalize` change `spec`. */
  subresource?: 'scale' | 'finalize';
  /** The version of the request, if it is not the stored one. */
  apiVersion?: string;
}

const updatersOf = (
  { statusSubresource }: ResourceDefinition,
  { name: manager, subresource, apiVersion }: FieldManager,
  scope: Scope,
): Updater[] => {
  const main: Updater = { manager, subresource: subresource ?? '', scope: 'main', apiVersion };
  const status: Updater = { manager, subresource: 'status', scope: 'status', apiVersion };
  if (scope === 'status') return [status];
  // A controller that writes both in one request is recorded as if it had used both endpoints.
  return scope === 'all' && statusSubresource ? [main, status] : [main];
};

/** Records a write as an update by its field manager; undefined if none is named. */
export const trackerOf = (
  resource: ResourceDefinition,
  { fieldManager, scope = 'main' }: { fieldManager?: FieldManager; scope?: Scope },
  now: Date,
): Track | undefined =>
  fieldManager &&
  ((next, live) => {
    try {
      return trackUpdate(resource, live, next, updatersOf(resource, fieldManager, scope), now);
    } catch (error) {
      // As in upstream, the write continues, and no manager owns any field.
      if (error instanceof ConversionError) return [];
      throw error;
    }
  });
