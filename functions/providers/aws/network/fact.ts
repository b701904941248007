import { describeAwsError, isNotFound, isPermanent } from '../../../../shared/aws/errors.ts';
import type { Fact } from '../../../../shared/providers/aws/plan/preflight/model.ts';
import { withoutRequestDetails } from '../../../../shared/request-details.ts';

/** Gives the same text for the same refusal, without details of the request. */
export const saying = (error: unknown): string => withoutRequestDetails(describeAwsError(error));

/** The result of a check. A temporary error, such as throttling, is thrown, and the workflow tries again. */
export const fact = async <T>(question: () => Promise<T>): Promise<Fact<T>> => {
  try {
    return { value: await question() };
  } catch (error) {
    if (isPermanent(error) || isNotFound(error)) return { unknown: saying(error) };
    throw error;
  }
};

/** Runs many checks concurrently. */
export const keyed = async <K, T>(keys: readonly K[], ask: (key: K) => Promise<Fact<T>>): Promise<Map<K, Fact<T>>> =>
  new Map(await Promise.all(keys.map(async (key): Promise<[K, Fact<T>]> => [key, await ask(key)])));
