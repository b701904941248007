import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { int32, microTime, objectReference, options, time } from '../schema/fields.ts';

const anyString = z.string();

export const eventSchema = options({
  involvedObject: objectReference,
  reason: anyString,
  message: anyString,
  source: options({ component: anyString, host: anyString }),
  firstTimestamp: time.nullable(),
  lastTimestamp: time.nullable(),
  count: int32(),
  type: anyString,
  eventTime: microTime.nullable(),
  series: options({ count: int32(), lastObservedTime: microTime.nullable() }),
  action: anyString,
  related: objectReference,
  reportingComponent: anyString,
  reportingInstance: anyString,
});

/** core/v1 Event. */
export interface Event extends KubeObject, z.input<typeof eventSchema> {}
