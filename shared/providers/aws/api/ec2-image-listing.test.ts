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

it('the listing requests the same images at most once an hour', async () => {
  const { calls, listing, advance } = counted();
  await listing.standings(['a', 'b']);
  advance(59);
  await listing.standings(['b']);
  expect(calls).toEqual(['a,b']);

  advance(1);
  await listing.standings(['b']);
  expect(calls).toEqual(['a,b', 'b']);
});

it('the listing requests a new image immediately', async () => {
  const { calls, listing } = counted();
  await listing.standings(['a']);
  await listing.standings(['a', 'c']);

  expect(calls).toEqual(['a', 'a,c']);
});

it('the listing requests the same names at most once an hour', async () => {
  const { calls, listing, advance } = counted();
  await listing.names('owner', ['x']);
  await listing.names('owner', ['x']);
  advance(60);
  await listing.names('owner', ['x']);

  expect(calls).toEqual(['owner x', 'owner x']);
});
