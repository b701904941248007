import { expect } from 'vitest';
import type { Clock } from '../../shared/clock.ts';
import type { Gizmo } from '../../shared/kube-api/test-kinds.ts';
import { seededNumbers } from '../../shared/seeded-random.ts';
import type { OpenStorage } from './storages.ts';
import { listToys, objectOf, PATH, serveToys, toy, versionOf } from './toy-server.ts';
import { follow, type Watcher } from './watchers.ts';
import { type Crew, churn, type Written, write } from './writers.ts';

/**
 * Many concurrent writers, each of which uses all methods of clients, and watchers that disconnect and return at
 * random.
 */
export interface Story extends Scale {
  clock: Clock;
  open: OpenStorage;
}

export interface Scale {
  seed: number;
  writers: number;
  /** Shared by the writers. */
  objects: number;
  /** For each writer. */
  writes: number;
  watchers: number;
}

const CHURNERS = 4;

/** No update is lost: each object has exactly the marks that were confirmed to writers, and each mark is counted. */
const checkUpdates = (items: readonly Gizmo[], written: readonly Written[]): void => {
  for (const { metadata, spec } of items) {
    const own = written.filter(({ name }) => name === metadata.name);
    expect(Object.keys(metadata.annotations ?? {}).sort()).toEqual(own.map(({ mark }) => mark).sort());
    expect(spec?.size).toBe(own.filter(({ counts }) => counts).length);
    const newest = Math.max(0, ...own.map(({ version }) => version));
    if (newest > 0) expect(Number(metadata.resourceVersion)).toBe(newest);
  }
};

/**
 * The kind has one sequence: no version occurs twice, and each write has a higher version than all that were stored
 * when it began.
 */
const checkVersions = (written: readonly Written[]): void => {
  expect(new Set(written.map(({ version }) => version)).size).toBe(written.length);
  expect(written.filter(({ version, before }) => version <= before)).toEqual([]);
};

const sorted = (known: Iterable<[string, number]>) => [...known].sort(([a], [b]) => (a < b ? -1 : 1));
const versionsOf = (items: readonly Gizmo[]) =>
  new Map(items.map((item): [string, number] => [item.metadata.name, versionOf(item)]));

/** Nothing is missed: the final state of a watcher is equal to a list. */
const checkWatchers = (items: readonly Gizmo[], watchers: readonly Watcher[]): void => {
  for (const { known } of watchers) expect(sorted(known)).toEqual(sorted(versionsOf(items)));
};

/** Runs the scenario, whose choices depend on the seed, and checks that nothing was lost. */
export const runStory = async (story: Story): Promise<{ writes: number; reconnects: number }> => {
  const { clock } = story;
  const next = seededNumbers(story.seed);
  const server = serveToys(await story.open(clock, story.seed), clock, story.seed);
  const names = Array.from({ length: story.objects }, (_, index) => `shared-${index}`);
  await Promise.all(names.map(async (name) => objectOf(await server.send('POST', PATH, toy(name)))));
  const begin = await listToys(server);
  const start = { known: versionsOf(begin.items), version: begin.version };
  const crew: Crew = { server, clock, names, writes: story.writes, newest: { version: start.version } };

  let end: number | undefined;
  const numbers = () => seededNumbers(1 + Math.floor(next() * 1e6));
  const each = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  const watching = each(story.watchers, () => follow(server, start, numbers(), () => end));
  try {
    const churning = each(CHURNERS, (churner) => churn(crew, churner, numbers()));
    const written = (await each(story.writers, (writer) => write(crew, writer, numbers()))).flat();
    await churning;

    // A list may have a version below that of the last deletion, which its watchers have not seen yet.
    end = versionOf(await objectOf(await server.send('POST', PATH, toy('last'))));
    const { items } = await listToys(server);
    checkVersions(written);
    checkUpdates(items, written);
    const watchers = await watching;
    checkWatchers(items, watchers);
    return { writes: written.length, reconnects: watchers.reduce((sum, { reconnects }) => sum + reconnects, 0) };
  } finally {
    // If a writer fails, watchers end too.
    end = 0;
    await watching;
  }
};
