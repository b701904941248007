import type { AWSMachine } from '../../kinds/index.ts';
import type { LaunchRequest } from './request.ts';

/**
 * The annotation that holds a launch before it is made. What it says is sent, also by a later run after a template or an
 * image has changed: with the same client token only the same request is the same launch.
 */
export const LAUNCH_ANNOTATION = 'windlass.dev/launch';

export interface FrozenLaunch {
  /** RFC 3339: when the launch was decided. */
  at: string;
  request: LaunchRequest;
}

/** The launch that was decided for a machine, if there is one. Without it no instance can exist. */
export const readFrozenLaunch = (infrastructure: AWSMachine): FrozenLaunch | undefined => {
  const text = infrastructure.metadata.annotations?.[LAUNCH_ANNOTATION];
  return text ? (JSON.parse(text) as FrozenLaunch) : undefined;
};
