import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import { stsHosts } from './sts-hosts.ts';

const CREDENTIALS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' };

/** The host that the SDK would call. */
const hostOf = async (region: string, useFipsEndpoint: boolean, useDualstackEndpoint: boolean): Promise<string> => {
  const client = new STSClient({ region, useFipsEndpoint, useDualstackEndpoint, credentials: CREDENTIALS });
  let host = '';
  client.middlewareStack.add(
    () => async (args) => {
      host = (args.request as { hostname: string }).hostname;
      return { output: { $metadata: {} }, response: {} };
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  await client.send(new GetCallerIdentityCommand({}));
  return host;
};

describe.each(['eu-central-1', 'us-gov-west-1', 'cn-north-1', 'eusc-de-east-1', 'us-iso-east-1'])(
  'the STS hosts in %s',
  (region) => {
    it('are those that clients sign for, including FIPS and dual-stack endpoints', async () => {
      const asked = new Set<string>();
      for (const fips of [false, true])
        for (const dualStack of [false, true]) asked.add(await hostOf(region, fips, dualStack));
      expect([...asked].sort()).toEqual([...stsHosts(region)].sort());
    });
  },
);

it('fails for an unknown region', () => {
  expect(() => stsHosts('')).toThrow('is not known');
});
