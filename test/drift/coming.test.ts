/** Resources that AWS has finished creating, which no event reports. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { withLegacyConditions } from '../../shared/plan/status/legacy-conditions.ts';
import { comingClaim } from '../../shared/providers/aws/network/conditions.ts';
import { COMING } from '../../shared/providers/aws/network/nat-gateways/model.ts';
import { KEY } from '../cluster-infrastructure/world.ts';
import { type DriftWorld, startDriftWorld } from './drift-world.ts';

let world: DriftWorld;
beforeAll(async () => {
  world = await startDriftWorld();
});
afterAll(() => world.close());

it('the sweep requests a pass once the NAT gateways of a cluster are available, and none after that', async () => {
  expect(await world.sweep()).toBe(false);
  const message = `${COMING} nat-1`;
  await world.objects.mutate(kinds.awsCluster, KEY, (current) =>
    withLegacyConditions(current, [comingClaim({ condition: 'NatGatewaysReady', message })], world.clock.now()),
  );
  expect(await world.sweep()).toBe(true);
  await world.pass('natGateways');
  expect(await world.sweep()).toBe(false);
});
