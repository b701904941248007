import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { type ClientOptions, givenOptions } from './options.ts';
import { unlogged } from './unlogged.ts';

/** A client of Service Quotas, which has FIPS endpoints only in the partition of the US government. */
export const createServiceQuotasClient = (options: ClientOptions = {}): ServiceQuotasClient =>
  unlogged(new ServiceQuotasClient({ ...givenOptions(options), useFipsEndpoint: false }));
