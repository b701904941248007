import type { KubeObject } from '../../kube-api/object.ts';
import type { Event } from './schema.ts';

/** Who sent an event, for `source` in field selectors: events of newer clients say it in `reportingComponent`. */
export const sourceOf = (object: KubeObject): string | undefined => {
  const { source, reportingComponent } = object as Event;
  return source?.component || reportingComponent;
};
