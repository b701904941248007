import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Fetch } from './client.ts';
import { follow } from './follow.ts';

const object = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } }) as KubeObject;

const pageOf = (version: string, names: readonly string[], next = '') =>
  Response.json({
    items: names.map((name) => object(name, version)),
    metadata: { resourceVersion: version, continue: next },
  });

const watchOf = (...events: readonly [type: string, name: string, version: string][]) =>
  new Response(
    events.map(([type, name, version]) => `${JSON.stringify({ type, object: object(name, version) })}\n`).join(''),
  );

/** Follows an API with these responses until there are none left. */
const followed = async (answers: readonly Response[]) => {
  const controller = new AbortController();
  const asked: string[] = [];
  const shown: string[] = [];
  const problems: (string | undefined)[] = [];
  const pauses: number[] = [];
  const left = [...answers];
  const send: Fetch = async (path) => {
    asked.push(path);
    const answer = left.shift();
    if (answer) return answer;
    controller.abort();
    throw new Error('aborted');
  };
  await follow({
    send,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    path: '/things',
    query: 'labelSelector=a',
    signal: controller.signal,
    onObjects: (objects) => shown.push(objects.map(({ metadata }) => metadata.name).join()),
    onProblem: (problem) => problems.push(problem),
  });
  return { asked, shown, problems, pauses };
};

it('lists all pages, watches from their version, and resumes when a watch ends', async () => {
  const { asked, shown, problems, pauses } = await followed([
    pageOf('4', ['a'], 'next'),
    pageOf('5', ['b']),
    watchOf(['ADDED', 'c', '6'], ['DELETED', 'a', '7'], ['BOOKMARK', '', '9']),
    watchOf(['MODIFIED', 'b', '10']),
  ]);

  expect(asked).toEqual([
    '/things?limit=500&continue=&labelSelector=a',
    '/things?limit=500&continue=next&labelSelector=a',
    '/things?watch=true&allowWatchBookmarks=true&resourceVersion=5&labelSelector=a',
    '/things?watch=true&allowWatchBookmarks=true&resourceVersion=9&labelSelector=a',
    '/things?watch=true&allowWatchBookmarks=true&resourceVersion=10&labelSelector=a',
  ]);
  expect(shown).toEqual(['a,b', 'b,c', 'b,c']);
  expect(problems).toEqual([undefined]);
  expect(pauses).toEqual([500, 500]);
});

it('lists again when the version is too old, and meanwhile shows that the data is not up to date', async () => {
  const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old resource version' } };
  const { shown, problems, pauses } = await followed([
    pageOf('5', ['a']),
    new Response(`${JSON.stringify(gone)}\n`),
    pageOf('8', ['b']),
  ]);

  expect(shown).toEqual(['a', 'b']);
  expect(problems).toEqual([undefined, 'Not up to date: too old resource version', undefined]);
  expect(pauses).toEqual([3000]);
});

it('shows the message of a refusal, and retries after a pause', async () => {
  const refusal = Response.json({ kind: 'Status', code: 403, message: 'you may not' }, { status: 403 });
  const { problems, pauses } = await followed([refusal, pageOf('5', [])]);

  expect(problems).toEqual(['Not up to date: you may not', undefined]);
  expect(pauses).toEqual([3000]);
});
