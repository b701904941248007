import { driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import { isOverdue } from '../../../../plan/machines/waiting.ts';
import { isParameter, secretNames } from '../delivery/plan.ts';
import type { Difference, PlacedMachine } from './difference.ts';
import { isSettled } from './states.ts';

/** A machine that has not read its secrets after this time is no longer just starting. */
const PATIENCE_SECONDS = 60;

/**
 * The secrets that a machine may still have to read: it is running and has no node yet. It permanently deletes what it
 * has read. Parameters of the Parameter Store are not included, because deleted parameters cannot be restored.
 */
export const awaitedSecrets = (known: PlacedMachine, now: Date): string[] => {
  const { machine, infrastructure } = known;
  const { secretPrefix, secretCount = 0 } = infrastructure.spec.cloudInit ?? {};
  const isWaiting = infrastructure.status?.instanceState === 'running' && machine.status?.nodeRef === undefined;
  if (!secretPrefix || isParameter(secretPrefix) || !isWaiting || !isSettled(known)) return [];
  if (!isOverdue(machine.metadata.creationTimestamp, PATIENCE_SECONDS, now)) return [];
  return secretNames(secretPrefix, secretCount);
};

/** The finding that secrets for which a machine waits were marked for deletion. */
export const secretDrift = ({ cluster }: PlacedMachine, deleted: readonly string[]): Difference[] => {
  if (deleted.length === 0) return [];
  const policy = driftPoliciesOf(cluster).BootstrapSecret;
  const message = `it has not joined, and its bootstrap data is marked for deletion: ${deleted.join(', ')}`;
  const drift = { kind: 'BootstrapSecret' as const, policy, message };
  return [policy === 'Report' ? drift : { ...drift, repair: { call: 'RestoreSecrets', names: deleted } }];
};
