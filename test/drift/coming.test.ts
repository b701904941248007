/** Resources that AWS has finished creating, or shows at last, which no event reports. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { withLegacyConditions } from '../../shared/plan/status/legacy-conditions.ts';
import { withBastionLaunch } from '../../shared/providers/aws/network/bastion/launch.ts';
import { comingClaim } from '../../shared/providers/aws/network/conditions.ts';
import { newIntent } from '../../shared/providers/aws/network/intents.ts';
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

it('the sweep requests a pass for a disabled bastion as soon as EC2 would show it', async () => {
  const token = newIntent(world.clock.now(), 'one');
  await world.objects.mutate(kinds.awsCluster, KEY, (current) =>
    withBastionLaunch(current, { token, request: { MinCount: 1, MaxCount: 1 } }),
  );
  expect(await world.sweep()).toBe(false);
  world.clock.advance(301);
  expect(await world.sweep()).toBe(true);
  await world.pass('natGateways');
  expect(await world.sweep()).toBe(false);
});
