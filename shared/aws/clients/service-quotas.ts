import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { type ClientOptions, givenOptions } from './options.ts';

/** A client of Service Quotas. */
export const createServiceQuotasClient = (options: ClientOptions = {}): ServiceQuotasClient =>
  new ServiceQuotasClient(givenOptions(options));
