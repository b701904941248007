import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Pace } from '../pace/pace.ts';

/**
 * What a caller may set instead of the SDK's defaults; the types are the same in every client. Everything omitted comes
 * from the environment as the SDK reads it (AWS_REGION, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_<SERVICE>, the credential
 * chain).
 */
export interface ClientOptions {
  region?: string;
  credentials?: DynamoDBClientConfig['credentials'];
  /** Base URL of the service, instead of AWS's own. */
  endpoint?: string;
  /** Carries the HTTP requests; a simulation puts its own here. */
  requestHandler?: DynamoDBClientConfig['requestHandler'];
  /** Attempts in all, the first included; the SDK's default is 3. */
  maxAttempts?: number;
  /** Handles retries and waits instead of the SDK's timers; `maxAttempts` is then its own decision. */
  retryStrategy?: DynamoDBClientConfig['retryStrategy'];
  /** Keeps calls within AWS's limits; of clients of EC2 and ELBv2. */
  pace?: Pace;
}

const CONNECTION_MILLISECONDS = 5_000;

/**
 * Of one attempt, until the first byte of its answer. All three attempts fit in the 60 seconds of a step. The SDK sets no
 * limit itself: a request whose answer is lost would hold a function for as long as the function may run.
 */
const REQUEST_MILLISECONDS = 15_000;

const limitedTo = (requestTimeout: number) => ({
  ...{ connectionTimeout: CONNECTION_MILLISECONDS, requestTimeout },
  throwOnRequestTimeout: true,
});

/**
 * `options` as the SDK's clients take them, with limits of time where no handler of requests is given. Keys whose value is
 * undefined are left out, because the SDK takes their presence for a decision. `requestMilliseconds` is for services whose
 * answers may take longer.
 */
export const givenOptions = (
  { pace: _ours, ...options }: ClientOptions,
  requestMilliseconds: number = REQUEST_MILLISECONDS,
): Omit<ClientOptions, 'pace'> => {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { requestHandler: limitedTo(requestMilliseconds), ...Object.fromEntries(given) };
};
