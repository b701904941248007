import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Pace } from '../pace/pace.ts';

/**
 * What a caller may put in place of the SDK's defaults; the types are the same in every client. Everything that is left
 * out comes from the environment as the SDK reads it (AWS_REGION, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_<SERVICE>, the
 * credential chain).
 */
export interface ClientOptions {
  region?: string;
  credentials?: DynamoDBClientConfig['credentials'];
  /** Base URL of the service, in place of AWS's own. */
  endpoint?: string;
  /** Carries the HTTP requests; a simulation puts its own here. */
  requestHandler?: DynamoDBClientConfig['requestHandler'];
  /** Attempts in all, the first included; the SDK's default is 3. */
  maxAttempts?: number;
  /** Decides on retries and waits in place of the SDK's timers; `maxAttempts` is then its own affair. */
  retryStrategy?: DynamoDBClientConfig['retryStrategy'];
  /** Keeps calls within AWS's limits; of clients of EC2 and ELBv2. */
  pace?: Pace;
}

/**
 * `options` as the SDK knows them, less what is undefined: it takes a key that is present for a decision, also where its
 * value is not.
 */
export const givenOptions = ({ pace: _ours, ...options }: ClientOptions): Omit<ClientOptions, 'pace'> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
