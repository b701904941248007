import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine } from '../../../../kinds/index.ts';
import { readRecordedLaunch } from '../launch/recorded.ts';

/**
 * Upstream's annotation: the security groups that were last set on an instance, unless they are still those of its
 * launch. Upstream only lists those of spec.additionalSecurityGroups, and always gives an instance the groups of its
 * role.
 */
const LAST_APPLIED = 'sigs.k8s.io/cluster-api-provider-aws-last-applied-security-groups';

/** The AWSMachine with the applied groups recorded, in upstream's form. */
export const withAppliedGroups = (machine: AWSMachine, ids: readonly string[]): AWSMachine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: {
      ...machine.metadata.annotations,
      [LAST_APPLIED]: JSON.stringify(Object.fromEntries([...ids].sort().map((id) => [id, {}]))),
    },
  },
});

const parse = (text: string): string[] | undefined => {
  try {
    const value = readJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined;
  } catch {
    // It was edited, so the applied groups are unknown.
    return undefined;
  }
};

/**
 * The security groups that were last set on an instance; undefined if neither upstream nor Windlass has recorded them.
 */
const lastApplied = (infrastructure: AWSMachine): readonly string[] | undefined => {
  const text = infrastructure.metadata.annotations?.[LAST_APPLIED];
  if (text !== undefined) return parse(text);
  return readRecordedLaunch(infrastructure)?.request?.NetworkInterfaces?.[0]?.Groups;
};

/** The user's changes in the spec since groups were last set on the instance. They are not drift. */
export interface GroupWishes {
  added: readonly string[];
  removed: readonly string[];
}

export const groupWishes = (infrastructure: AWSMachine, wanted: readonly string[]): GroupWishes => {
  const applied = lastApplied(infrastructure);
  if (!applied) return { added: [], removed: [] };
  return {
    added: wanted.filter((id) => !applied.includes(id)),
    removed: applied.filter((id) => !wanted.includes(id)),
  };
};
