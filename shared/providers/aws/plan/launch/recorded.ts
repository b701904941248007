import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine } from '../../../../kinds/index.ts';
import type { CapacityRefusal } from './candidates.ts';
import type { LaunchRequest } from './request.ts';

/**
 * The entry of an AWSMachine's memory (shared/plan/memory) that holds a launch before it is made. What it says is sent,
 * also by a later run after a template or an image has changed: with the same client token only the same request is the
 * same launch. It is never read from the object itself, where a user could have written it.
 */
export const LAUNCH_ANNOTATION = 'windlass.dev/launch';

export interface RecordedLaunch {
  /** RFC 3339: when the launch was decided. */
  at: string;
  /** Left out once EC2 has refused it permanently: then nothing was made of it, and the next try may ask for something else. */
  request?: LaunchRequest;
  /** How many requests were refused before; each request has a client token of its own. */
  attempt?: number;
  zone?: string;
  /** What its image was looked up by. */
  lookup?: string;
  /** What EC2 had no capacity for. */
  refused?: CapacityRefusal[];
  /**
   * Version 0.1 may have launched an instance, and no record says so: the tags of the instance do. Taken back by the
   * first launch that is decided.
   */
  isUnproven?: boolean;
}

/** Whether an instance may exist by what is remembered of a launch. */
export const mayBeLaunched = (launch: RecordedLaunch | undefined): boolean =>
  launch?.request !== undefined || launch?.isUnproven === true;

/** The launch that was decided for a machine, if there is one. Without it no instance can exist. */
export const readRecordedLaunch = (infrastructure: AWSMachine): RecordedLaunch | undefined => {
  const text = infrastructure.metadata.annotations?.[LAUNCH_ANNOTATION];
  return text ? (readJson(text) as RecordedLaunch) : undefined;
};

/** The machine with a launch written down. */
export const withRecordedLaunch = (machine: AWSMachine, launch: RecordedLaunch): AWSMachine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: { ...machine.metadata.annotations, [LAUNCH_ANNOTATION]: JSON.stringify(launch) },
  },
});
