import type { Asked } from '../endpoint.ts';
import type { Past, Scenario } from '../scenario.ts';
import { AS_PARTIAL, AS_TABLE, get, mergePatch, post, remove } from './requests.ts';
import { CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';

/** A watch that ends by itself after what was written before it. */
const watch =
  (all: string, more: string, headers?: Record<string, string>) =>
  (past: Past): Asked =>
    get(
      `${all}?watch=true&timeoutSeconds=1&${more}&resourceVersion=${past[0]?.body.metadata.resourceVersion}`,
      headers,
    );

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
  ];
};

const following = (subject: Subject, title: string, more: string, headers?: Record<string, string>): Scenario => ({
  name: `${subject.title}: is watched ${title}`,
  steps: (namespace) => {
    const all = subject.collection(namespace);
    return [get(all), ...changes(subject, namespace), watch(all, more, headers)];
  },
});

/** Without bookmarks: the one that ends the first events comes before or after the end of so short a watch. */
const refused = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is watched in ways that are refused, or begun anew`,
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
      get(`${all}?sendInitialEvents=true`),
    ];
  },
});

export const WATCHES: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [
    following(subject, 'as a whole', ''),
    following(subject, 'by label', 'labelSelector=a%3Db'),
    following(subject, 'by name', 'fieldSelector=metadata.name%3Dtwo'),
    following(subject, 'as a table', '', AS_TABLE),
    following(subject, 'for its metadata', '', AS_PARTIAL),
    refused(subject),
  ]),
];
