import { isObject, type JsonObject } from '../../../../shared/kube-api/json.ts';
import { PATIENCE_SECONDS } from '../../../../shared/test-patience.ts';
import type { Asked } from '../endpoint.ts';
import type { Past, Scenario } from '../scenario.ts';
import { AS_OLD_PARTIAL, AS_OLD_TABLE, AS_PARTIAL, AS_TABLE, get, mergePatch, post, remove } from './requests.ts';
import { CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';

const since = (past: Past): string => `resourceVersion=${past[0]?.body.metadata.resourceVersion}`;

/** One object gets a label and loses it again; another has a finalizer. Finally, a new object is created. */
const changes = ({ collection, object, change }: Subject, namespace: string): Asked[] => {
  const all = collection(namespace);
  return [
    post(all, object('one', { labels: { a: 'b' } })),
    post(all, object('two', { finalizers: ['example.com/a'] })),
    mergePatch(`${all}/one`, change),
    mergePatch(`${all}/two`, { metadata: { labels: { a: 'b' } } }),
    mergePatch(`${all}/one`, { metadata: { labels: null } }),
    remove(`${all}/two`),
    mergePatch(`${all}/two`, { metadata: { finalizers: null } }),
    remove(`${all}/one`),
    post(all, object('two', { labels: { a: 'b' } })),
  ];
};

/** The changes that a watch reports, marked with `x` at their positions. */
const SHOWN = { all: 'xxxxxxxxx', byLabel: 'x.xxxxx.x', byName: '.x.x.xx.x' };

const following = (
  subject: Subject,
  title: string,
  more: string,
  shown: string = SHOWN.all,
  headers?: Record<string, string>,
): Scenario => ({
  name: `${subject.title}: is watched ${title}`,
  steps: (namespace) => {
    const all = subject.collection(namespace);
    return [
      get(all),
      (past) => ({
        watch: get(`${all}?watch=true&timeoutSeconds=${PATIENCE_SECONDS}&${more}&${since(past)}`, headers),
        changes: changes(subject, namespace).map((asked, index) => ({ asked, shown: shown[index] === 'x' })),
      }),
    ];
  },
});

const isThe = (type: string, name: string) => (event: unknown) =>
  isObject(event) && event.type === type && isObject(event.object) && nameOf(event.object) === name;

const nameOf = ({ metadata }: JsonObject): unknown => (isObject(metadata) ? metadata.name : undefined);

/** Writes before the watch begins. A watch may report only their result. */
const catchingUp = (subject: Subject): Scenario => ({
  name: `${subject.title}: is watched from the past`,
  steps: (namespace) => {
    const all = subject.collection(namespace);
    return [
      get(all),
      post(all, subject.object('one', { labels: { a: 'b' } })),
      mergePatch(`${all}/one`, subject.change),
      post(all, subject.object('gone')),
      remove(`${all}/gone`),
      post(all, subject.object('last')),
      (past) => ({
        ...get(`${all}?watch=true&timeoutSeconds=${PATIENCE_SECONDS}&${since(past)}`),
        onEvent: isThe('ADDED', 'last'),
      }),
    ];
  },
});

/** Of the changes before the watch begins, it reports only those to objects that match before or after the change. */
const catchingUpByLabel = (subject: Subject): Scenario => ({
  name: `${subject.title}: is watched by label from the past`,
  steps: (namespace) => {
    const all = subject.collection(namespace);
    const matching = { labels: { a: 'b' } };
    return [
      post(all, subject.object('other', { labels: { a: 'c' } })),
      post(all, subject.object('gone', { labels: { a: 'c' } })),
      post(all, subject.object('left', matching)),
      post(all, subject.object('removed', matching)),
      post(all, subject.object('joined', { labels: { a: 'c' } })),
      get(all),
      mergePatch(`${all}/other`, { metadata: { labels: { d: 'e' } } }),
      remove(`${all}/gone`),
      mergePatch(`${all}/left?fieldManager=editor`, { metadata: { labels: { a: 'c' } } }),
      remove(`${all}/removed`),
      mergePatch(`${all}/joined`, { metadata: matching }),
      post(all, subject.object('last', matching)),
      (past) => ({
        ...get(
          `${all}?watch=true&timeoutSeconds=${PATIENCE_SECONDS}&labelSelector=a%3Db&resourceVersion=${past[5]?.body.metadata.resourceVersion}`,
        ),
        onEvent: isThe('ADDED', 'last'),
      }),
    ];
  },
});

const isTheEnd = (event: unknown): boolean =>
  isObject(event) && event.type === 'BOOKMARK' && JSON.stringify(event).includes('initial-events-end');

/** Watches that also stream the initial list (WatchList). */
const streamed = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is watched with initial events`,
  steps: (namespace) => {
    const all = collection(namespace);
    const streamFor = (seconds: number, more: string, headers?: Record<string, string>): Asked => ({
      ...get(`${all}?watch=true&timeoutSeconds=${seconds}&allowWatchBookmarks=true&${more}`, headers),
      onEvent: isTheEnd,
    });
    const stream = (...asked: [more: string, headers?: Record<string, string>]) =>
      streamFor(PATIENCE_SECONDS, ...asked);
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    return [
      post(all, object('one', { labels: { a: 'b' } })),
      post(all, object('two')),
      stream(initial),
      stream(`${initial}&resourceVersion=0`),
      (past) => stream(`${initial}&resourceVersion=${past[1]?.body.metadata.resourceVersion}`),
      stream(`${initial}&labelSelector=a%3Db`),
      stream(initial, AS_PARTIAL),
      stream(initial, AS_TABLE),
      stream(initial, AS_OLD_PARTIAL),
      stream(initial, AS_OLD_TABLE),
      // These watches have no bookmark at the end of their initial events.
      streamFor(5, 'resourceVersion=0'),
      streamFor(5, ''),
    ];
  },
});

/**
 * Does not allow bookmarks, because the one after the initial events may arrive before or after the end of such a short
 * watch.
 */
const refused = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is watched in ways that are refused, or must be restarted`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one')),
      get(`${all}?watch=true&timeoutSeconds=1`),
      get(`${all}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Done`),
      get(`${all}/one?watch=true&timeoutSeconds=1`),
      get(`${all}?watch=true&timeoutSeconds=1&resourceVersion=abc`),
      get(`${all}?watch=true&timeoutSeconds=1&labelSelector=%21%21`),
      get(`${all}?watch=true&timeoutSeconds=1&fieldSelector=spec.bogus%3D1`),
      get(`${all}?watch=true&timeoutSeconds=x`),
      get(`${all}?watch=true&timeoutSeconds=1&sendInitialEvents=true`),
      get(`${all}?watch=true&timeoutSeconds=1&resourceVersionMatch=Exact`),
      get(`${all}?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
      get(`${all}?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=Exact`),
      get(`${all}?watch=true&timeoutSeconds=1&continue=abc`),
      get(`${all}?watch=true&timeoutSeconds=1&limit=x`),
      get(`${all}?sendInitialEvents=true`),
    ];
  },
});

export const WATCHES: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [
    following(subject, 'as a whole', ''),
    following(subject, 'by label', 'labelSelector=a%3Db', SHOWN.byLabel),
    following(subject, 'by name', 'fieldSelector=metadata.name%3Dtwo', SHOWN.byName),
    following(subject, 'as a table', '', SHOWN.all, AS_TABLE),
    following(subject, 'with only its metadata', '', SHOWN.all, AS_PARTIAL),
    catchingUp(subject),
    catchingUpByLabel(subject),
    streamed(subject),
    refused(subject),
  ]),
];
