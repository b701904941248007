import type { Ec2Network } from '../../../shared/aws/ec2-network.ts';
import {
  awsCodeOf,
  describeAwsError,
  isAlreadyExists,
  isDependencyViolation,
  isNotAttached,
  isNotFound,
  isQuotaExceeded,
  isRefusal,
  isSubnetConflict,
} from '../../../shared/aws/errors.ts';
import { quotaAdvice } from '../../../shared/aws/quotas.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { NetworkAction } from '../../../shared/plan/network/model.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { COMPONENT, type NetworkDependencies } from './dependencies.ts';
import { perform, reasonOf } from './perform.ts';

/**
 * What became of an action. `unclear`: EC2 has not caught up with itself, the next snapshot tells. `blocked`: something
 * else has to go first. `failed`: EC2 refused it for good. `thrown`: whether it happened is not known.
 */
export interface Outcome {
  action: NetworkAction;
  verdict: 'done' | 'unclear' | 'blocked' | 'failed' | 'thrown';
  message: string;
  error?: unknown;
}

/** Calls under way at a time: a new network is about sixty calls, and EC2 refills five a second. */
const CONCURRENCY = 6;

const isRemoval = ({ type }: NetworkAction): boolean => /^(Delete|Detach|Disassociate|Release|Revoke)/.test(type);

const verdictOn = (action: NetworkAction, error: unknown): Outcome['verdict'] => {
  if (isRemoval(action) && (isNotFound(error) || isNotAttached(error))) return 'done';
  if (isRemoval(action) && isDependencyViolation(error)) return 'blocked';
  // Made by a run at the same time, or by ourselves a moment ago; or named before EC2 shows it everywhere.
  if (isAlreadyExists(error) || isSubnetConflict(error)) return 'unclear';
  if (awsCodeOf(error) === 'IdempotentParameterMismatch') return 'unclear';
  if (isQuotaExceeded(error) || isRefusal(error)) return 'failed';
  return isNotFound(error) ? 'unclear' : 'thrown';
};

const attempt = async (ec2: Ec2Network, action: NetworkAction): Promise<Outcome> => {
  try {
    return { action, verdict: 'done', message: await perform(ec2, action) };
  } catch (error) {
    const advice = isQuotaExceeded(error) ? quotaAdvice(error) : '';
    return { action, verdict: verdictOn(action, error), message: `${describeAwsError(error)}${advice}`, error };
  }
};

/** Every change of the account is told, and every refusal; what is only late is not. */
const tell = async ({ objects, clock }: NetworkDependencies, regarding: KubeObject, outcome: Outcome) => {
  const { verdict, message, action } = outcome;
  const source = { regarding, component: COMPONENT, message };
  if (verdict === 'done' && !outcome.error) {
    await recordEvent(objects, { ...source, type: 'Normal', reason: `Successful${reasonOf(action)}` }, clock);
  }
  if (verdict === 'failed') {
    await recordEvent(objects, { ...source, type: 'Warning', reason: `Failed${reasonOf(action)}` }, clock);
  }
};

/** All actions of a round, side by side, each with its event on `regarding`. Never throws for what EC2 answers. */
export const act = (
  deps: NetworkDependencies,
  ec2: Ec2Network,
  regarding: KubeObject,
  actions: readonly NetworkAction[],
): Promise<Outcome[]> =>
  mapConcurrently(actions, CONCURRENCY, async (action) => {
    const outcome = await attempt(ec2, action);
    await tell(deps, regarding, outcome);
    return outcome;
  });
