/** Calls that are only to be tried (`DryRun`), and endpoints that would do them. */
import type { Forward } from './engines/wire/server.ts';

const WOULD_SUCCEED =
  '<Response><Errors><Error><Code>DryRunOperation</Code><Message>Request would have succeeded, but DryRun flag is set.</Message></Error></Errors><RequestID>laptop</RequestID></Response>';

/**
 * Keeps dry runs from an endpoint, and answers them as if everything were allowed. Whether an endpoint needs this
 * cannot be found out by a harmless call: moto honours DryRun in DescribeRegions, but not in CreateVpc.
 */
export const withoutDryRuns =
  (forward: Forward): Forward =>
  async (request) =>
    new URLSearchParams(request.body.toString()).get('DryRun') === 'true'
      ? { status: 412, headers: { 'content-type': 'text/xml' }, body: WOULD_SUCCEED }
      : forward(request);
