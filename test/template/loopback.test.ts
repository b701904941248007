import { expect, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { CLUSTERS_ON_LOOPBACK, readReach } from '../../shared/config.ts';
import { resourcesOf } from './definitions.ts';

it('lets no deployed function connect to clusters on loopback', () => {
  const functions = resourcesOf(synthesizeFixture(), 'AWS::Lambda::Function');
  const environments = functions.map(([, { Environment }]) => (Environment as { Variables?: object })?.Variables ?? {});
  expect(environments.length).toBeGreaterThan(10);
  expect(environments.filter((variables) => CLUSTERS_ON_LOOPBACK in variables)).toEqual([]);
  expect(readReach({})).toEqual({ loopback: false });
  expect(readReach({ [CLUSTERS_ON_LOOPBACK]: '1' })).toEqual({ loopback: false });
  expect(readReach({ [CLUSTERS_ON_LOOPBACK]: 'true' })).toEqual({ loopback: true });
});
