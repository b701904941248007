import { readJson } from '../../../../decode/json.ts';
import type { AWSMachine, Machine } from '../../../../kinds/index.ts';
import { isOverdue } from '../../../../plan/machines/waiting.ts';
import { VISIBLE_SECONDS } from '../visibility.ts';
import { isParameter } from './plan.ts';

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

/** Whether every request that may still create these data is over: AWS accepts its signature for five minutes. */
export const isOver = ({ since }: { since: string }, now: Date): boolean => isOverdue(since, VISIBLE_SECONDS, now);

/**
 * The late secrets that can be deleted while the machine continues to exist. Undefined if there are none, while a
 * request may still create them, and while the machine itself may still need data with these names. Parameters stay until
 * the machine is deleted: they cost nothing, and the sweep does not call Systems Manager.
 */
export const removableLateSecrets = (infrastructure: AWSMachine, now: Date): LateSecrets | undefined => {
  if (infrastructure.metadata.deletionTimestamp) return undefined;
  const late = readLateSecrets(infrastructure);
  if (!late || !isOver(late, now)) return undefined;
  const isNeeded = late.secretPrefix === infrastructure.spec.cloudInit?.secretPrefix;
  return isNeeded || isParameter(late.secretPrefix) ? undefined : late;
};

/** The names of a machine's secrets, as in `spec.cloudInit`. */
export type SecretPlace = Pick<LateSecrets, 'secretPrefix' | 'secretCount'>;

/**
 * The recorded secrets of a machine that has a node, and so needs its data no more: their deletion has failed for longer
 * than it is retried. Undefined if there are none; parameters stay, as above.
 */
export const leftSecrets = ({ metadata, spec }: AWSMachine, { status }: Machine): SecretPlace | undefined => {
  const { secretPrefix, secretCount } = spec.cloudInit ?? {};
  if (!secretPrefix || !secretCount || metadata.deletionTimestamp || status?.nodeRef === undefined) return undefined;
  return isParameter(secretPrefix) ? undefined : { secretPrefix, secretCount };
};

/** The machine without these secrets. Undefined if it has others now, or none. */
export const withoutLeftSecrets = (infrastructure: AWSMachine, left: SecretPlace): AWSMachine | undefined => {
  const { secretPrefix, secretCount: _count, ...cloudInit } = infrastructure.spec.cloudInit ?? {};
  return secretPrefix === left.secretPrefix
    ? { ...infrastructure, spec: { ...infrastructure.spec, cloudInit } }
    : undefined;
};

/** The machine without the names of these late secrets. Undefined if it names others now, or none. */
export const withoutLateSecrets = (infrastructure: AWSMachine, late: LateSecrets): AWSMachine | undefined => {
  const current = readLateSecrets(infrastructure);
  if (current?.secretPrefix !== late.secretPrefix || current.since !== late.since) return undefined;
  const { [LATE_SECRETS_ANNOTATION]: _, ...annotations } = infrastructure.metadata.annotations ?? {};
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};
