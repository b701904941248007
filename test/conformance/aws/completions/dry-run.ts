/** Neither emulator supports dry runs. */
import { type Completion, formOf } from './completion.ts';

const WOULD_SUCCEED = `<Response><Errors><Error><Code>DryRunOperation</Code><Message>Request would have succeeded, but DryRun flag is set.</Message></Error></Errors><RequestID>of-the-suite</RequestID></Response>`;

export const DRY_RUN: Completion = {
  gap: 'Dry runs (DryRun is ignored)',
  instead:
    'Local mode keeps such calls from it and says so at its start; the suite of deploy.md answers DryRunOperation',
  shownBy: 'a dry run',
  service: 'ec2',
  complete: (forward) => async (request) =>
    formOf(request.body).get('DryRun') === 'true'
      ? { status: 412, headers: { 'content-type': 'text/xml' }, body: WOULD_SUCCEED }
      : forward(request),
};
