import { expect, it } from 'vitest';
import { withoutDryRuns } from './dry-run.ts';
import type { WireRequest } from './engines/wire/call.ts';

it('does not forward dry runs to an endpoint', async () => {
  const seen: string[] = [];
  const forward = withoutDryRuns(async ({ body }) => {
    seen.push(body.toString());
    return { status: 200, headers: {}, body: '' };
  });
  const ask = (body: string) => forward({ body: Buffer.from(body) } as WireRequest);
  const tried = await ask('Action=CreateVpc&DryRun=true');
  expect(tried.status).toBe(412);
  expect(String(tried.body)).toContain('<Code>DryRunOperation</Code>');
  expect((await ask('Action=CreateVpc&DryRun=false')).status).toBe(200);
  expect(seen).toEqual(['Action=CreateVpc&DryRun=false']);
});
