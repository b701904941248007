/** Outdated descriptions of resources: EC2, Elastic Load Balancing and Auto Scaling are eventually consistent. */
import type { ReceivedRequest } from '../../../../infra/local/engines/wire/server.ts';
import type { Aws } from '../direct.ts';

type Answer = Awaited<ReturnType<Aws['answer']>>;

/** The maximum age of a description. */
const OLDEST_MILLISECONDS = 20_000;

const OK = 200;

/** Identifies a request that describes something; otherwise undefined. Services with JSON requests are consistent. */
const questionOf = ({ url, body }: ReceivedRequest): string | undefined => {
  const text = Buffer.from(body).toString();
  return new URLSearchParams(text).get('Action')?.startsWith('Describe') ? `${url.pathname} ${text}` : undefined;
};

/** Without the id of the request, which is in each response. */
const contentOf = ({ body }: Answer): string =>
  Buffer.from(body)
    .toString()
    .replace(/<requestId>[^<]*<\/requestId>/i, '');

export interface DescriptionsOptions {
  /** In milliseconds. */
  now(): number;
  /** Whether requests get the oldest response of the last 20 seconds to the same request. */
  isOutdated(): boolean;
  /** Called with each response that differs from the current one. */
  onOutdated?(): void;
}

/**
 * Wraps `aws` so that its descriptions can be outdated. Every request still reaches `aws`, which may refuse it like any
 * other.
 */
export const outdatedAtTimes =
  ({ now, isOutdated, onOutdated }: DescriptionsOptions) =>
  (aws: Aws): Aws => {
    const known = new Map<string, readonly { at: number; answer: Answer }[]>();
    return {
      answer: async (request) => {
        const answer = await aws.answer(request);
        const question = questionOf(request);
        if (question === undefined || answer.status !== OK) return answer;
        const at = now();
        const recent = (known.get(question) ?? []).filter((one) => at - one.at <= OLDEST_MILLISECONDS);
        known.set(question, [...recent, { at, answer }]);
        const oldest = recent[0]?.answer;
        if (oldest === undefined || !isOutdated()) return answer;
        if (contentOf(oldest) !== contentOf(answer)) onOutdated?.();
        return oldest;
      },
    };
  };
