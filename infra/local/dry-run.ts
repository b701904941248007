/** Endpoints that take a call which is only to be tried (`DryRun`) for one that is to be done. */
import { DescribeRegionsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import type { Forward } from './engines/wire/server.ts';

/** What AWS answers to a call that is only tried. */
const TRIED = ['DryRunOperation', 'UnauthorizedOperation'];

/** Asks for something that changes nothing whatever the endpoint makes of it. */
export const knowsDryRun = async (client: Pick<EC2Client, 'send'>): Promise<boolean> => {
  try {
    await client.send(new DescribeRegionsCommand({ DryRun: true }));
    return false;
  } catch (error) {
    return error instanceof Error && TRIED.includes(error.name);
  }
};

const WOULD_SUCCEED =
  '<Response><Errors><Error><Code>DryRunOperation</Code><Message>Request would have succeeded, but DryRun flag is set.</Message></Error></Errors><RequestID>laptop</RequestID></Response>';

/** Keeps tried calls from such an endpoint: they are answered as if everything were allowed. */
export const withoutDryRuns =
  (forward: Forward): Forward =>
  async (request) =>
    new URLSearchParams(request.body.toString()).get('DryRun') === 'true'
      ? { status: 412, headers: { 'content-type': 'text/xml' }, body: WOULD_SUCCEED }
      : forward(request);
