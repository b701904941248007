import * as z from 'zod';
import type { Inherit } from '../../../plan/memory/kind.ts';
import type { RecordedLaunch } from './launch/recorded.ts';

/**
 * Version 0.1 stored the controllers' data in annotations, which anyone who can edit the object could write. Such an
 * annotation proves nothing. Annotations that are not in this table are dropped, because the data can be read from AWS
 * again; an entry of the table says what follows from the mere presence of the annotation.
 */
const attemptSchema = z.object({ attempt: z.int().min(0).max(1000) });

const attemptOf = (text: string): number => {
  try {
    return attemptSchema.safeParse(JSON.parse(text)).data?.attempt ?? 0;
  } catch {
    // Not JSON: then the number of the attempt is unknown, and the first one's token is as good as any.
    return 0;
  }
};

/**
 * An instance may exist; its tags show whether it does. The number of the attempt only selects the client token, so
 * that a request sent before the upgrade is not confused with another one.
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

/** The name of the object holds the AWSMachine's own uid, so that no other machine's data can be meant. */
const bootstrapObject: Inherit = (text, { metadata: { name, uid } }) =>
  uid !== undefined && text.endsWith(`/${name}-${uid}`) ? text : undefined;

export const LEGACY: Readonly<Record<string, Inherit>> = {
  'windlass.dev/launch': launch,
  'windlass.dev/bootstrap-object': bootstrapObject,
};
