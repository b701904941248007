import * as z from 'zod';
import type { Inherit } from '../../../plan/memory/kind.ts';
import type { RecordedLaunch } from './launch/recorded.ts';

/**
 * Version 0.1 kept the controllers' memory in annotations, which whoever may edit the object could write. Such an
 * annotation proves nothing. What is not in this table is forgotten, because looking at AWS tells it again; an entry of
 * the table says what may be concluded from the mere presence of the annotation.
 */
const attemptSchema = z.object({ attempt: z.int().min(0).max(1000) });

const attemptOf = (text: string): number => {
  try {
    return attemptSchema.safeParse(JSON.parse(text)).data?.attempt ?? 0;
  } catch {
    // Not JSON: then nobody knows which try it was, and the first one's token is as good as any.
    return 0;
  }
};

/**
 * An instance may exist; whether it does, its tags say. The number of the try only chooses the client token, so that a
 * request that was sent before the upgrade is not taken for another one.
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
