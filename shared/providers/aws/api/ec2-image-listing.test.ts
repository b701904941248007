import { expect, it } from 'vitest';
import { rememberingImages } from './ec2-image-listing.ts';

const counted = () => {
  const calls: string[] = [];
  let now = Date.parse('2026-11-20T12:00:00Z');
  const listing = rememberingImages(
    {
      standings: async (ids) => {
        calls.push(ids.join());
        return new Map();
      },
      names: async (owner, patterns) => {
        calls.push(`${owner} ${patterns.join()}`);
        return [];
      },
    },
    { now: () => new Date(now) },
  );
  return { calls, listing, advance: (minutes: number) => (now += minutes * 60_000) };
};

it('requests the same images once an hour', async () => {
  const { calls, listing, advance } = counted();
  await listing.standings(['a', 'b']);
  advance(59);
  await listing.standings(['b']);
  expect(calls).toEqual(['a,b']);

  advance(1);
  await listing.standings(['b']);
  expect(calls).toEqual(['a,b', 'b']);
});

it('requests immediately if an image is new', async () => {
  const { calls, listing } = counted();
  await listing.standings(['a']);
  await listing.standings(['a', 'c']);

  expect(calls).toEqual(['a', 'a,c']);
});

it('requests the same names once an hour', async () => {
  const { calls, listing, advance } = counted();
  await listing.names('owner', ['x']);
  await listing.names('owner', ['x']);
  advance(60);
  await listing.names('owner', ['x']);

  expect(calls).toEqual(['owner x', 'owner x']);
});
