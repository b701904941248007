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

/**
 * `options` in the SDK's form, without undefined values: the SDK treats a present key as set, even if its value is
 * undefined.
 */
export const givenOptions = ({ pace: _ours, ...options }: ClientOptions): Omit<ClientOptions, 'pace'> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
