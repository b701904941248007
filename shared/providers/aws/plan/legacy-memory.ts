import * as z from 'zod';
import type { Inherit } from '../../../plan/memory/kind.ts';
import type { RecordedLaunch } from './launch/recorded.ts';

/**
 * Version 0.1 stored the controllers' data in annotations, which anyone who can edit the object could write. Such an
 * annotation proves nothing. Annotations that are not in this table are dropped, because the data can be read from AWS
 * again. An entry of the table determines what follows from the mere presence of the annotation.
 */
const attemptSchema = z.object({ attempt: z.int().min(0).max(1000) });

const attemptOf = (text: string): number => {
  try {
    return attemptSchema.safeParse(JSON.parse(text)).data?.attempt ?? 0;
  } catch {
    // Not JSON: the number of the attempt is unknown, and the token of the first one is as good as any.
    return 0;
  }
};

/**
 * An instance may exist; its tags show whether it does. The number of the attempt only selects the client token, so
 * that a request that was sent before the upgrade is not confused with another one.
 */
const launch: Inherit = (text, { metadata }) => {
  const attempt = attemptOf(text);
  const unproven: RecordedLaunch = {
    at: metadata.creationTimestamp ?? '',
    isUnproven: true,
    ...(attempt > 0 ? { attempt } : {}),
  };
  return JSON.stringify(unproven);
};

/** The name of the object contains the AWSMachine's own uid, so it cannot be another machine's. */
const bootstrapObject: Inherit = (text, { metadata: { name, uid } }) =>
  uid !== undefined && text.endsWith(`/${name}-${uid}`) ? text : undefined;

export const LEGACY: Readonly<Record<string, Inherit>> = {
  'windlass.dev/launch': launch,
  'windlass.dev/bootstrap-object': bootstrapObject,
};
