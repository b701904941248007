import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine, Machine } from '../../../../kinds/index.ts';
import { isOver } from './late-secrets.ts';
import { isObjectOf, type ObjectPlace, recordedObject } from './object.ts';

/**
 * The entry in an AWSMachine's record (shared/plan/memory) with the location of the bootstrap data in S3 that a request
 * without an answer may still store after they were deleted.
 */
const LATE_OBJECT_ANNOTATION = 'windlass.dev/late-object';

export interface LateObject extends ObjectPlace {
  /** RFC 3339: when the request was made, or later. */
  since: string;
}

/** The recorded late object; undefined if there is none, or if its name is not that of this machine's data. */
export const readLateObject = (infrastructure: AWSMachine): LateObject | undefined => {
  const text = infrastructure.metadata.annotations?.[LATE_OBJECT_ANNOTATION];
  const late = text ? (readJson(text) as LateObject) : undefined;
  return late && isObjectOf(infrastructure, late) ? late : undefined;
};

/** The machine with the recorded location of its data as that of a late object. Unchanged if none is recorded. */
export const withLateObject = (infrastructure: AWSMachine, since: string): AWSMachine => {
  const place = recordedObject(infrastructure);
  if (!place) return infrastructure;
  const late = JSON.stringify({ ...place, since } satisfies LateObject);
  const annotations = { ...infrastructure.metadata.annotations, [LATE_OBJECT_ANNOTATION]: late };
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};

/**
 * The late object that can be deleted while the machine continues to exist. Undefined if there is none, while a request
 * may still store it, and while the machine itself may still need its data.
 */
export const removableLateObject = (infrastructure: AWSMachine, now: Date): LateObject | undefined => {
  if (infrastructure.metadata.deletionTimestamp || recordedObject(infrastructure)) return undefined;
  const late = readLateObject(infrastructure);
  return late && isOver(late, now) ? late : undefined;
};

/**
 * The recorded object of a machine that has a node, and so needs its data no more: its deletion has failed for longer
 * than it is retried. Undefined if there is none.
 */
export const leftObject = (infrastructure: AWSMachine, { status }: Machine): ObjectPlace | undefined => {
  const place = recordedObject(infrastructure);
  const isLeft = place !== undefined && status?.nodeRef !== undefined && !infrastructure.metadata.deletionTimestamp;
  return isLeft && isObjectOf(infrastructure, place) ? place : undefined;
};

/** The machine without this late object. Undefined if it has another one now, or none. */
export const withoutLateObject = (infrastructure: AWSMachine, late: LateObject): AWSMachine | undefined => {
  const current = readLateObject(infrastructure);
  if (current?.key !== late.key || current.since !== late.since) return undefined;
  const { [LATE_OBJECT_ANNOTATION]: _, ...annotations } = infrastructure.metadata.annotations ?? {};
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};
