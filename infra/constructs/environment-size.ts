import type { Context } from './context.ts';

/**
 * Lambda allows 4 KB of environment variables, including their names; those without a setting take less than 800 bytes.
 */
const ROOM_BYTES = 3_000;

/** Settings that are all in the environment of the same function. */
const TOGETHER = [
  ['adminPrincipals', 'editorPrincipals', 'viewerPrincipals', 'trustedAccounts'],
  ['syncMachineLabels', 'syncMachineAnnotations'],
  ['instanceProfiles', 'namespaceQuota'],
] as const;

type Key = (typeof TOGETHER)[number][number];

/** Reports settings that are too long together. Otherwise, Lambda would refuse the function during a deployment. */
export const checkEnvironmentSize = (
  { report }: Pick<Context, 'report'>,
  settings: Readonly<Record<Key, readonly string[] | string | undefined>>,
): void => {
  for (const keys of TOGETHER) {
    const bytes = Buffer.byteLength(keys.flatMap((key) => settings[key] ?? []).join(','));
    if (bytes > ROOM_BYTES)
      report(keys.join(', '), `have ${bytes} bytes together, and functions take at most ${ROOM_BYTES}`);
  }
};
