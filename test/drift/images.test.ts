/** Images of running machines that their publisher removes. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PublishedImages } from '../../infra/local/engines/ec2/settings.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { IMAGES_AT_RISK } from '../../shared/providers/aws/plan/drift/images.ts';
import { withRecordedLaunch } from '../../shared/providers/aws/plan/launch/recorded.ts';
import { KEY, NAMESPACE } from '../cluster-infrastructure/world.ts';
import { type DriftWorld, startDriftWorld } from './drift-world.ts';

let world: DriftWorld;
beforeEach(async () => {
  world = await startDriftWorld();
});
afterEach(() => world.close());

const publish = (note: Omit<PublishedImages, 'name'>, name = '*-v1.34.0-*') =>
  world.account.settings.publishedImages.push({ name, ...note });

const told = async () => {
  const events = await world.objects.list(kinds.event, NAMESPACE);
  return events
    .filter(({ reason }) => reason === 'ImageAtRisk')
    .map(({ involvedObject, message, count }) => [involvedObject?.kind, message, count]);
};
const condition = async () => findCondition((await world.cluster()).status?.conditions, IMAGES_AT_RISK);

it('the sweep reports nothing about available images', async () => {
  await world.sweep();

  expect(await told()).toEqual([]);
  expect(await condition()).toBeUndefined();
});

it('the sweep warns once that an image will be deprecated soon, and once more when it is deprecated', async () => {
  publish({ deprecatedAt: '2026-12-01T00:00:00Z' });
  await world.sweep();
  await world.sweep();

  const soon = expect.stringMatching(
    /^image ami-\w+ \(capa-ami-ubuntu-24\.04-v1\.34\.0-\d+\) will be deprecated on 2026-12-01; copy it/,
  );
  expect(await told()).toEqual([['AWSCluster', soon, 1]]);
  expect(await condition()).toMatchObject({ status: 'True', reason: 'ImageAtRisk' });
  world.clock.advance(14 * 86_400);
  await world.sweep();
  await world.sweep();
  expect(await told()).toContainEqual([
    'AWSCluster',
    expect.stringContaining('has been deprecated since 2026-12-01'),
    1,
  ]);
});

it('the sweep reports that an image is gone, and clears the condition when it is available again', async () => {
  publish({ isWithdrawn: true });
  await world.sweep();

  expect((await condition())?.message).toMatch(/^image ami-\w+ is deleted or no longer shared with the account/);
  publish({});
  await world.sweep();
  expect(await condition()).toMatchObject({ status: 'False', reason: 'ImagesAvailable' });
});

it('the sweep starts no pass and reports nothing without the permission to describe images', async () => {
  publish({ isWithdrawn: true });
  world.account.settings.denied.push('ec2:DescribeImages');

  expect(await world.sweep()).toBe(false);
  expect(await told()).toEqual([]);
});

it('the sweep records on the AWSCluster which images its machines were launched from', async () => {
  const key = { namespace: NAMESPACE, name: 'red-worker' };
  const launch = { at: '2026-11-20T12:00:00Z', lookup: 'owner 1, name mine', request: { ImageId: 'ami-1' } };
  await world.objects.mutate(kinds.awsMachine, key, (current: AWSMachine) =>
    withRecordedLaunch(current, launch as never),
  );
  await world.sweep();

  const awsCluster = await world.objects.get(kinds.awsCluster, KEY);
  expect(awsCluster?.metadata.annotations?.['windlass.dev/images']).toBe('{"owner 1, name mine":"ami-1"}');
});
