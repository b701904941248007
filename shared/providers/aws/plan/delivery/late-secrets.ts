import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine } from '../../../../kinds/index.ts';

/**
 * The entry in an AWSMachine's record (shared/plan/memory) with the names of secrets that a request without an answer
 * may still create after they were deleted.
 */
const LATE_SECRETS_ANNOTATION = 'windlass.dev/late-secrets';

export interface LateSecrets {
  /** As in `spec.cloudInit` when the request was made. */
  secretPrefix: string;
  secretCount: number;
  /** RFC 3339: when the request was made, or later. */
  since: string;
}

export const readLateSecrets = (infrastructure: AWSMachine): LateSecrets | undefined => {
  const text = infrastructure.metadata.annotations?.[LATE_SECRETS_ANNOTATION];
  return text ? (readJson(text) as LateSecrets) : undefined;
};

/** The machine with the names of its secrets recorded. Unchanged if it has none. */
export const withLateSecrets = (infrastructure: AWSMachine, since: string): AWSMachine => {
  const { secretPrefix, secretCount } = infrastructure.spec.cloudInit ?? {};
  if (!secretPrefix || !secretCount) return infrastructure;
  const late = JSON.stringify({ secretPrefix, secretCount, since } satisfies LateSecrets);
  const annotations = { ...infrastructure.metadata.annotations, [LATE_SECRETS_ANNOTATION]: late };
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};
