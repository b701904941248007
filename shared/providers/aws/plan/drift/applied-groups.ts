import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine } from '../../../../kinds/index.ts';
import { readRecordedLaunch } from '../launch/recorded.ts';

/**
 * Upstream's annotation: the security groups that were last set on an instance, if they are not those of its launch.
 * Upstream lists only those of spec.additionalSecurityGroups, and gives an instance those of its role in any case.
 */
const LAST_APPLIED = 'sigs.k8s.io/cluster-api-provider-aws-last-applied-security-groups';

/** The AWSMachine with what was applied on record, as upstream writes it. */
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
    // It was edited: then the applied groups are unknown.
    return undefined;
  }
};

/** The security groups that were last set on an instance; undefined if neither upstream nor we have recorded them. */
const lastApplied = (infrastructure: AWSMachine): readonly string[] | undefined => {
  const text = infrastructure.metadata.annotations?.[LAST_APPLIED];
  if (text !== undefined) return parse(text);
  return readRecordedLaunch(infrastructure)?.request?.NetworkInterfaces?.[0]?.Groups;
};

/** What the user has changed in the spec since groups were last set on the instance. It is not an outside change. */
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
