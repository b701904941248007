import type { Clock } from '../../shared/clock.ts';
import { GIZMOS, type Gizmo } from '../../shared/kube-api/test-kinds.ts';
import { objectOf, PATH, type ToyServer, toy, versionOf } from './toy-server.ts';

/** The result of one write. */
export interface Written {
  name: string;
  /** A unique value of this write. */
  mark: string;
  version: number;
  /** Whether it increased the size by one. */
  counts: boolean;
  /** The newest version of the kind that was confirmed to any writer when this write began. */
  before: number;
}

/** One method of writing; returns the resulting object, or undefined if the client has to read and try again. */
type Way = (server: ToyServer, name: string, mark: string) => Promise<Gizmo | undefined>;

const changed = (gizmo: Gizmo, mark: string): Gizmo => ({
  ...gizmo,
  metadata: { ...gizmo.metadata, annotations: { ...gizmo.metadata.annotations, [mark]: 'yes' } },
  spec: { ...gizmo.spec, size: (gizmo.spec?.size ?? 0) + 1 },
});

const read = async ({ send }: ToyServer, name: string): Promise<Gizmo> =>
  objectOf(await send('GET', `${PATH}/${name}`));

/** A client that sends the version that it has read must retry itself. */
const unlessConflict = async (response: Response): Promise<Gizmo | undefined> =>
  response.status === 409 ? undefined : objectOf(response);

/** As Windlass's controllers do; a conflict would be a failure. */
const byMutating: Way = (server, name, mark) =>
  server.controllers.mutate<Gizmo>(GIZMOS, { namespace: 'default', name }, (gizmo) => changed(gizmo, mark));

const byReplacing: Way = async (server, name, mark) =>
  unlessConflict(await server.send('PUT', `${PATH}/${name}`, changed(await read(server, name), mark)));

/** With the version that was read, a patch is as safe as a replacement. */
const byCarefulPatch: Way = async (server, name, mark) => {
  const { metadata, spec } = changed(await read(server, name), mark);
  const { resourceVersion } = metadata;
  const patch = { metadata: { resourceVersion, annotations: { [mark]: 'yes' } }, spec };
  return unlessConflict(await server.send('PATCH', `${PATH}/${name}`, patch));
};

/** Without a version, a patch applies to any state and must never get a conflict. It cannot count. */
const byBlindPatch: Way = async (server, name, mark) =>
  objectOf(await server.send('PATCH', `${PATH}/${name}`, { metadata: { annotations: { [mark]: 'yes' } } }));

/** Uses a separate field manager for each mark, so that no other manager owns it: this never gets a conflict either. */
const byApplying: Way = async (server, name, mark) => {
  const { apiVersion, kind } = toy(name);
  const config = { apiVersion, kind, metadata: { name, annotations: { [mark]: 'yes' } } };
  return objectOf(await server.send('APPLY', `${PATH}/${name}?fieldManager=${mark}`, config));
};

const WAYS: readonly { way: Way; counts: boolean }[] = [
  { way: byMutating, counts: true },
  { way: byReplacing, counts: true },
  { way: byCarefulPatch, counts: true },
  { way: byBlindPatch, counts: false },
  { way: byApplying, counts: false },
];

export interface Crew {
  server: ToyServer;
  clock: Clock;
  /** The objects to which all writers write. */
  names: readonly string[];
  /** For each writer. */
  writes: number;
  /** The newest version that was confirmed to any writer. */
  newest: { version: number };
}

const REST_MILLISECONDS = 20;
const LONGEST_REST_MILLISECONDS = 640;

/** A random pause that gets longer after each lost race, as with a client that retries persistently. */
const rest = (clock: Clock, next: () => number, lost = 0): Promise<void> =>
  clock.sleep(Math.ceil(next() * Math.min(REST_MILLISECONDS * 2 ** lost, LONGEST_REST_MILLISECONDS)));

/** One writer: this many writes one after the other, each with another method. */
export const write = async (crew: Crew, writer: number, next: () => number): Promise<Written[]> => {
  const { server, clock, names, writes, newest } = crew;
  const done: Written[] = [];
  for (let turn = 0; turn < writes; turn += 1) {
    await rest(clock, next);
    const name = names[Math.floor(next() * names.length)] ?? '';
    const mark = `writer-${writer}-${turn}`;
    const { way, counts } = WAYS[Math.floor(next() * WAYS.length)] ?? { way: byReplacing, counts: true };
    let before = newest.version;
    let stored = await way(server, name, mark);
    for (let lost = 1; stored === undefined; lost += 1) {
      await rest(clock, next, lost);
      before = newest.version;
      stored = await way(server, name, mark);
    }
    newest.version = Math.max(newest.version, versionOf(stored));
    done.push({ name, mark, version: versionOf(stored), counts, before });
  }
  return done;
};

/** Creates and deletes its own object this many times; whether it stays is random. */
export const churn = async ({ server, clock, writes }: Crew, writer: number, next: () => number): Promise<void> => {
  const name = `fleeting-${writer}`;
  for (let turn = 0; turn < writes; turn += 1) {
    await objectOf(await server.send('POST', PATH, toy(name)));
    await rest(clock, next);
    if (turn === writes - 1 && next() < 0.5) return;
    await objectOf(await server.send('DELETE', `${PATH}/${name}`));
  }
};
