import type { Machine } from '../../shared/kinds/index.ts';
import { formatTime, type KubeObject } from '../../shared/kube-api/object.ts';
import type { GoneMachine, MadeMachine, Named } from './plan.ts';
import type { World } from './world.ts';

/** The actions of one owner in one pass. */
export interface Acted {
  owner: Named;
  make: readonly MadeMachine[];
  remove: readonly GoneMachine[];
  newSet?: string;
  blocked?: string;
}

const PAPER = 'planned:';

/** An object as if it had been created now. */
export const born = <T extends KubeObject>(object: T, now: Date): T => ({
  ...object,
  metadata: {
    ...object.metadata,
    uid: `${PAPER}${object.metadata.name}`,
    creationTimestamp: formatTime(now),
  },
});

/** An object that is being deleted. */
export const leaving = <T extends KubeObject>(object: T, now: Date): T =>
  object.metadata.deletionTimestamp
    ? object
    : { ...object, metadata: { ...object.metadata, deletionTimestamp: formatTime(now) } };

/** Whether an owner exists only in the plan, so that names derived from its uid will differ in reality. */
export const isUnborn = ({ unborn }: World, { metadata: { uid = '' } }: KubeObject): boolean =>
  uid.startsWith(PAPER) || unborn.has(uid);

/** A machine that is deleted; empty for a machine that existed only in the plan. */
export const gone = ({ snapshot }: World, { metadata: { name, uid = '' } }: Machine): GoneMachine[] => {
  if (uid.startsWith(PAPER)) return [];
  const instance = snapshot.infrastructureMachines.get(name)?.facts.name;
  return [{ name, ...(instance ? { instance } : {}) }];
};
