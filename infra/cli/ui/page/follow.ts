/**
 * Keeps a list up to date with a watch, like client libraries: list, watch from that version, and list again when it is
 * too old.
 */
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { type Answer, parsed } from '../../api/answer.ts';
import type { Fetch } from './client.ts';

export interface FollowOptions {
  send: Fetch;
  /** Waits, or rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** The path of the collection. */
  path: string;
  /** Selectors, such as `labelSelector=a%3Db`. */
  query?: string;
  signal: AbortSignal;
  /** Called with all objects after each list, and after each batch of changes. */
  onObjects(objects: readonly KubeObject[]): void;
  /** Called with a message when the API cannot be read, and without one when it can be read again. */
  onProblem(problem: string | undefined): void;
}

interface Page {
  items: KubeObject[];
  metadata: { resourceVersion?: string; continue?: string };
}

interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: KubeObject;
}

const PAGE = 500;
const RETRY_MILLISECONDS = 3000;
const BETWEEN_MILLISECONDS = 500;

const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;

const answerOf = async (response: Response): Promise<Answer> => ({
  code: response.status,
  text: await response.text(),
});

interface State {
  objects: Map<string, KubeObject>;
  /** The version from which a watch continues. */
  version: string;
}

const list = async ({ send, path, query = '', signal }: FollowOptions): Promise<State> => {
  const objects = new Map<string, KubeObject>();
  let next = '';
  let version = '';
  do {
    const search = `?limit=${PAGE}&continue=${encodeURIComponent(next)}&${query}`;
    const page = parsed<Page>(await answerOf(await send(`${path}${search}`, { signal })));
    for (const item of page.items) objects.set(keyOf(item), item);
    next = page.metadata.continue ?? '';
    version = page.metadata.resourceVersion ?? '';
  } while (next !== '');
  return { objects, version };
};

/** The state after an event. Throws for an event that ends the watch; the list is too old then. */
const afterEvent = ({ objects }: State, { type, object }: WatchEvent): State => {
  if (type === 'ERROR') throw new Error((object as { message?: string }).message ?? 'the watch ended with an error');
  if (type === 'DELETED') objects.delete(keyOf(object));
  if (type === 'ADDED' || type === 'MODIFIED') objects.set(keyOf(object), object);
  return { objects, version: object.metadata.resourceVersion ?? '' };
};

/** The complete lines of a stream. Lines that arrive together are one batch. */
async function* lineBatches(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${decoder.decode(value, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    const whole = lines.filter((line) => line !== '');
    if (whole.length > 0) yield whole;
  }
}

/** Follows until the server ends the watch, which it does every few minutes. Rejects if a new list is needed. */
const watch = async (options: FollowOptions, from: State): Promise<State> => {
  const { send, path, query = '', signal, onObjects } = options;
  const search = `?watch=true&allowWatchBookmarks=true&resourceVersion=${from.version}&${query}`;
  const response = await send(`${path}${search}`, { signal });
  if (!response.ok || response.body === null) parsed(await answerOf(response));
  let state = from;
  for await (const lines of lineBatches(response.body as ReadableStream<Uint8Array>)) {
    const events = lines.map((line) => JSON.parse(line) as WatchEvent);
    for (const event of events) state = afterEvent(state, event);
    if (events.some(({ type }) => type !== 'BOOKMARK')) onObjects([...state.objects.values()]);
  }
  return state;
};

const listAndWatch = async (options: FollowOptions): Promise<never> => {
  let state = await list(options);
  options.onObjects([...state.objects.values()]);
  options.onProblem(undefined);
  for (;;) {
    state = await watch(options, state);
    // The pause matters if a server ends every watch immediately.
    await options.sleep(BETWEEN_MILLISECONDS, options.signal);
  }
};

/** Follows a collection until the signal aborts. Errors are shown, and everything is retried after three seconds. */
export const follow = async (options: FollowOptions): Promise<void> => {
  const { signal, sleep, onProblem } = options;
  while (!signal.aborted) {
    try {
      await listAndWatch(options);
    } catch (error) {
      if (signal.aborted) return;
      onProblem(`Not up to date: ${(error as Error).message}`);
      await sleep(RETRY_MILLISECONDS, signal).catch(() => undefined);
    }
  }
};
