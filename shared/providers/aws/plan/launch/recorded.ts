import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine } from '../../../../kinds/index.ts';
import type { CapacityRefusal } from './candidates.ts';
import type { LaunchRequest } from './request.ts';

/**
 * The entry in an AWSMachine's record (shared/plan/memory) with a launch, written before the call. Its content is sent,
 * even by a later run after a template or an image has changed: only the same request with the same client token is the
 * same launch. It is never read from the object itself, where a user could have written it.
 */
export const LAUNCH_ANNOTATION = 'windlass.dev/launch';

export interface RecordedLaunch {
  /** RFC 3339: when the launch was decided. */
  at: string;
  /**
   * RFC 3339: approximately when the request was last sent, if that was long after the decision. Restored to its former
   * value if EC2 answers that it has created nothing.
   */
  sentAt?: string;
  /**
   * Whether EC2 has answered each request that was sent, and created nothing, as while a quota is used up. Removed
   * before the request is sent again.
   */
  isAnswered?: true;
  /**
   * RFC 3339: when EC2 had used the client token with other parameters but showed no instance for it: not yet, or no
   * longer.
   */
  hiddenAt?: string;
  /**
   * Omitted once EC2 has refused it permanently and no instance of an earlier attempt can exist: the next attempt may
   * request something else.
   */
  request?: LaunchRequest;
  /** How many earlier requests were refused; each request has a separate client token. */
  attempt?: number;
  zone?: string;
  /** The lookup of its image. */
  lookup?: string;
  /** The types and places for which EC2 had no capacity. */
  refused?: CapacityRefusal[];
  /**
   * Version 0.1 may have launched an instance without a record; its tags would show that. Removed when the first launch
   * is decided.
   */
  isUnproven?: boolean;
}

/** Whether an instance may exist, according to the recorded launch. */
export const mayBeLaunched = (launch: RecordedLaunch | undefined): boolean =>
  launch?.request !== undefined || launch?.isUnproven === true;

/** Since when EC2 may have the instance of a launch without showing it yet. */
export const lastSent = ({ at, sentAt }: RecordedLaunch): string => sentAt ?? at;

/** When a request was last sent whose instance may exist; undefined if EC2 has answered that there is none. */
export const unansweredSince = (launch: RecordedLaunch | undefined): string | undefined =>
  launch && mayBeLaunched(launch) && !launch.isAnswered ? lastSent(launch) : undefined;

/** The launch that was decided for a machine, if there is one. Without it, no instance can exist. */
export const readRecordedLaunch = (infrastructure: AWSMachine): RecordedLaunch | undefined => {
  const text = infrastructure.metadata.annotations?.[LAUNCH_ANNOTATION];
  return text ? (readJson(text) as RecordedLaunch) : undefined;
};

/** The machine with a launch recorded. */
export const withRecordedLaunch = (machine: AWSMachine, launch: RecordedLaunch): AWSMachine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: { ...machine.metadata.annotations, [LAUNCH_ANNOTATION]: JSON.stringify(launch) },
  },
});
