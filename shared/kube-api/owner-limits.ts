import { memberPath } from './json.ts';
import type { ObjectMeta, OwnerReference } from './object.ts';
import type { FieldError } from './resource.ts';

const FIELD = 'metadata.ownerReferences';

/** Each owner has a link in the table, which no quota counts. */
export const MAX_OWNERS = 64;

/**
 * What controllers may add to what users have written: otherwise, an object with as many owners as possible could not
 * get the one that controls it.
 */
const ROOM_FOR_CONTROLLERS = 16;

/** As long as what is named may be; Kubernetes itself limits nothing here. */
const MAX_LENGTHS = { apiVersion: 317, kind: 63, name: 253, uid: 128 } as const;

const MEMBERS = Object.keys(MAX_LENGTHS) as (keyof typeof MAX_LENGTHS)[];

const keyOf = (owner: OwnerReference): string => JSON.stringify(MEMBERS.map((member) => owner[member]));

const tooLong = (owner: OwnerReference): FieldError[] =>
  MEMBERS.filter((member) => (owner[member] ?? '').length > MAX_LENGTHS[member]).map((member) => ({
    type: 'FieldValueTooLong',
    field: memberPath(FIELD, member),
    detail: `may not be more than ${MAX_LENGTHS[member]} bytes`,
  }));

/**
 * Errors of owner references that are too many or too long. What is stored already may stay, and become less: other
 * writes must not fail because of it. `byController`: whether a controller writes, and not a user.
 */
export const validateOwnerLimits = (
  next: ObjectMeta,
  old: ObjectMeta | undefined,
  byController: boolean,
): FieldError[] => {
  const owners = next.ownerReferences ?? [];
  const known = new Set(old?.ownerReferences?.map(keyOf));
  const added = owners.filter((owner) => !known.has(keyOf(owner)));
  const most = byController ? MAX_OWNERS + ROOM_FOR_CONTROLLERS : MAX_OWNERS;
  if (owners.length > most && added.length > 0) {
    const detail = `must have at most ${most} items`;
    return [{ type: 'FieldValueTooMany', field: FIELD, badValue: owners.length, detail }];
  }
  return added.flatMap(tooLong);
};
