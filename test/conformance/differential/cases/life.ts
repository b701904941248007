import type { Scenario } from '../scenario.ts';
import { get, jsonPatch, mergePatch, post, put, remove } from './requests.ts';
import { ALL_SUBJECTS, type Subject } from './subjects.ts';

/** Requests that take an object of each kind from creation to deletion. */
const scenariosOf = ({ title, collection, object, change, jsonChange, wrong }: Subject): Scenario[] => [
  {
    name: `${title}: is created, read and deleted`,
    steps: (namespace) => {
      const all = collection(namespace);
      return [
        get(`${all}/one`),
        post(all, object('one', { labels: { a: 'b' }, annotations: { c: 'd' } })),
        post(all, object('one')),
        get(`${all}/one`),
        get(all),
        remove(`${all}/one`),
        remove(`${all}/one`),
        get(`${all}/one`),
        get(all),
      ];
    },
  },
  {
    name: `${title}: is replaced`,
    steps: (namespace) => {
      const all = collection(namespace);
      return [
        put(`${all}/one`, object('one', { resourceVersion: '1' })),
        post(all, object('one')),
        (past) => put(`${all}/one`, { ...past[1]?.body, metadata: { ...past[1]?.body.metadata, labels: { a: 'b' } } }),
        (past) => put(`${all}/one`, past[2]?.body),
        (past) => put(`${all}/one`, past[1]?.body),
        put(`${all}/one`, object('one')),
        (past) => put(`${all}/one`, { ...past[2]?.body, metadata: { ...past[2]?.body.metadata, uid: 'another' } }),
        (past) => put(`${all}/two`, past[2]?.body),
        (past) => put(`${all}/one`, { ...past[2]?.body, metadata: { ...past[2]?.body.metadata, namespace: 'other' } }),
        put(`${all}/one`, object('one', { resourceVersion: 'abc' })),
        put(`${all}/missing`, object('missing')),
      ];
    },
  },
  {
    name: `${title}: is patched`,
    steps: (namespace) => {
      const all = collection(namespace);
      return [
        mergePatch(`${all}/one`, change),
        post(all, object('one')),
        mergePatch(`${all}/one`, change),
        mergePatch(`${all}/one`, change),
        mergePatch(`${all}/one`, {}),
        mergePatch(`${all}/one`, { metadata: { labels: { a: 'b' } } }),
        mergePatch(`${all}/one`, { metadata: { labels: null } }),
        mergePatch(`${all}/one`, { metadata: { resourceVersion: '1' } }),
        mergePatch(`${all}/one`, { metadata: { name: 'two' } }),
        mergePatch(`${all}/one`, { metadata: { uid: 'x' } }),
        mergePatch(`${all}/one`, wrong),
        jsonPatch(`${all}/one`, jsonChange),
        jsonPatch(`${all}/one`, [{ op: 'test', path: '/metadata/name', value: 'two' }]),
        jsonPatch(`${all}/one`, [{ op: 'remove', path: '/nothing/here' }]),
        jsonPatch(`${all}/one`, [{ op: 'jump', path: '/metadata' }]),
        jsonPatch(`${all}/one`, { op: 'remove' }),
        mergePatch(`${all}/one`, '{"a":'),
        mergePatch(`${all}/one`, '[]'),
        mergePatch(`${all}/one`, 'null'),
        mergePatch(`${all}/one`, '{"metadata":{"labels":{"a":"b"},"labels":{"a":"c"}}}'),
        mergePatch(`${all}/one`, { kind: 'Other' }),
        mergePatch(`${all}/one`, { metadata: { name: null } }),
        mergePatch(`${all}/one`, { metadata: { namespace: 'other' } }),
        get(`${all}/one`),
      ];
    },
  },
  {
    name: `${title}: is written in dry runs`,
    steps: (namespace) => {
      const all = collection(namespace);
      return [
        post(`${all}?dryRun=All`, object('one')),
        get(`${all}/one`),
        post(all, object('one')),
        post(`${all}?dryRun=All`, object('one')),
        mergePatch(`${all}/one?dryRun=All`, change),
        (past) =>
          put(`${all}/one?dryRun=All`, {
            ...past[2]?.body,
            metadata: { ...past[2]?.body.metadata, labels: { a: 'b' } },
          }),
        remove(`${all}/one?dryRun=All`),
        remove(`${all}/one`, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }),
        post(`${all}?dryRun=Some`, object('two')),
        get(`${all}/one`),
      ];
    },
  },
  {
    name: `${title}: is refused when it is invalid`,
    steps: (namespace) => {
      const all = collection(namespace);
      return [
        post(all, { ...object('one'), ...wrong }),
        post(all, object('Not_A_Name')),
        post(all, object('')),
        post(all, { ...object('one'), kind: 'Other' }),
        post(all, { ...object('one'), apiVersion: 'other/v1' }),
        post(all, { ...object('one'), kind: undefined }),
        post(all, { ...object('one'), apiVersion: undefined }),
        post(all, object('one', { namespace: 'other' })),
        post(all, object('one', { resourceVersion: '1' })),
        post(all, object('one', { labels: { 'not a key!': 'x', a: 'not a value!' } })),
        post(all, object('one', { annotations: { 'not a key!': 'x' } })),
        post(all, object('one', { finalizers: ['not/a/name', 'nodomain'] })),
        post(all, object('one', { labels: { a: 1 } })),
        post(all, object('one', { labels: [] })),
        post(all, { ...object('one'), metadata: 'one' }),
        post(collection('missing'), object('one')),
        get(`${collection('missing')}/one`),
        get(collection('missing')),
      ];
    },
  },
];

export const LIFE: readonly Scenario[] = ALL_SUBJECTS.flatMap(scenariosOf);
