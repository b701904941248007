/** Handles dry runs (`DryRun`) for endpoints that would carry them out. */
import type { Forward } from './engines/wire/server.ts';

const WOULD_SUCCEED =
  '<Response><Errors><Error><Code>DryRunOperation</Code><Message>Request would have succeeded, but DryRun flag is set.</Message></Error></Errors><RequestID>laptop</RequestID></Response>';

/**
 * Keeps dry runs from an endpoint, and answers them as if everything were allowed. A harmless call cannot show whether
 * an endpoint needs this: moto honors DryRun in DescribeRegions, but not in CreateVpc.
 */
export const withoutDryRuns =
  (forward: Forward): Forward =>
  async (request) =>
    new URLSearchParams(request.body.toString()).get('DryRun') === 'true'
      ? { status: 412, headers: { 'content-type': 'text/xml' }, body: WOULD_SUCCEED }
      : forward(request);
