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
  /** Carries the HTTP requests; a simulation puts its own here. Settings of the SDK's own handler are also possible. */
  requestHandler?: DynamoDBClientConfig['requestHandler'];
  /** The number of attempts including the first. The SDK's default is 3. */
  maxAttempts?: number;
  /** Controls retries and waits instead of the SDK's timers. It then ignores `maxAttempts`. */
  retryStrategy?: DynamoDBClientConfig['retryStrategy'];
  /** Keeps calls within AWS's limits. Only used by clients of EC2 and ELBv2. */
  pace?: Pace;
}

const CONNECTION_MILLISECONDS = 5_000;

/**
 * The limit for one attempt, until the first byte of its response. Three attempts fit into the 60 seconds of a step.
 * The SDK itself sets no limit, so a request whose response is lost would block a function for its whole run time.
 */
const REQUEST_MILLISECONDS = 15_000;

const limitedTo = (requestTimeout: number) => ({
  ...{ connectionTimeout: CONNECTION_MILLISECONDS, requestTimeout },
  throwOnRequestTimeout: true,
});

const isHandler = (given: object): boolean => 'handle' in given;

/**
 * `options` in the form of the SDK's clients, with time limits unless a request handler of its own is given. Keys with the value
 * undefined are left out, because the SDK would take their presence for a setting. `requestMilliseconds` is for
 * services that may take longer to respond.
 */
export const givenOptions = (
  { pace: _ours, requestHandler = {}, ...options }: ClientOptions,
  requestMilliseconds: number = REQUEST_MILLISECONDS,
): Omit<ClientOptions, 'pace'> => {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const limited = { ...limitedTo(requestMilliseconds), ...requestHandler };
  return { requestHandler: isHandler(requestHandler) ? requestHandler : limited, ...Object.fromEntries(given) };
};
