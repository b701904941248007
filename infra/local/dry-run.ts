/** Calls that are only to be tried (`DryRun`), and endpoints that would do them. */
import type { Forward } from './engines/wire/server.ts';

const WOULD_SUCCEED =
  '<Response><Errors><Error><Code>DryRunOperation</Code><Message>Request would have succeeded, but DryRun flag is set.</Message></Error></Errors><RequestID>laptop</RequestID></Response>';

/**
 * Keeps tried calls from an endpoint: they are answered as if everything were allowed. No harmless question finds out who
 * needs this: moto tries DescribeRegions and does CreateVpc.
 */
export const withoutDryRuns =
  (forward: Forward): Forward =>
  async (request) =>
    new URLSearchParams(request.body.toString()).get('DryRun') === 'true'
      ? { status: 412, headers: { 'content-type': 'text/xml' }, body: WOULD_SUCCEED }
      : forward(request);
