import { awsJson10, awsJson11 } from './json-protocol.ts';
import type { Protocol } from './protocol.ts';
import { awsQuery, ec2Query } from './query-protocol.ts';
import { restJson1 } from './rest-protocol.ts';
import type { ProtocolName } from './service.ts';

/** Every wire protocol that the server supports. */
export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  ec2Query,
  awsQuery,
  awsJson1_0: awsJson10,
  awsJson1_1: awsJson11,
  restJson1,
};
