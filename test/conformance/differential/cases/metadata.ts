import type { Scenario } from '../scenario.ts';
import { get, mergePatch, post, put, remove } from './requests.ts';
import { CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';

const owner = (uid: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'owner',
  uid,
  ...more,
});

/** Metadata: generated names, finalizers, preconditions, owners, and fields that the server sets. */
const scenariosOf = ({ title, collection, object, change }: Subject): Scenario[] => [
  {
    name: `${title}: gets a generated name`,
    steps: (namespace) => {
      const all = collection(namespace);
      const nameless = { ...object('x'), metadata: { generateName: 'some-' } };
      return [
        post(all, nameless),
        post(all, { ...nameless, metadata: { generateName: 'Some_' } }),
        post(all, { ...nameless, metadata: {} }),
        post(all, { ...nameless, metadata: { generateName: 'some-', name: 'given' } }),
        get(`${all}/given`),
      ];
    },
  },
  {
    name: `${title}: is held by finalizers`,
    steps: (namespace) => {
      const all = collection(namespace);
      return [
        post(all, object('one', { finalizers: ['example.com/a', 'example.com/b'] })),
        remove(`${all}/one`),
        remove(`${all}/one`),
        mergePatch(`${all}/one`, change),
        mergePatch(`${all}/one`, { metadata: { finalizers: ['example.com/a', 'example.com/c'] } }),
        mergePatch(`${all}/one`, { metadata: { finalizers: ['example.com/a'] } }),
        mergePatch(`${all}/one`, { metadata: { deletionTimestamp: null } }),
        mergePatch(`${all}/one`, { metadata: { finalizers: null } }),
        get(`${all}/one`),
      ];
    },
  },
  {
    name: `${title}: is deleted with preconditions`,
    steps: (namespace) => {
      const all = collection(namespace);
      const options = (more: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...more });
      return [
        post(all, object('one')),
        remove(`${all}/one`, options({ preconditions: { uid: 'another' } })),
        remove(`${all}/one`, options({ preconditions: { resourceVersion: '1' } })),
        remove(`${all}/one`, options({ propagationPolicy: 'Sideways' })),
        remove(`${all}/one`, options({ propagationPolicy: 'Background', orphanDependents: true })),
        remove(`${all}/one`, options({ gracePeriodSeconds: -1 })),
        remove(`${all}/one`, '{'),
        (past) => remove(`${all}/one`, options({ preconditions: { uid: past[0]?.body.metadata.uid } })),
        post(all, object('two')),
        remove(`${all}/two`, options({ propagationPolicy: 'Foreground' })),
        get(`${all}/two`),
        post(all, object('three')),
        remove(`${all}/three?propagationPolicy=Orphan`),
        get(`${all}/three`),
        post(all, object('four')),
        remove(`${all}/four?propagationPolicy=Background`),
        get(`${all}/four`),
        post(all, object('five', { finalizers: ['orphan', 'a.dev/b'] })),
        remove(`${all}/five`, options({ propagationPolicy: '' })),
        remove(`${all}/five?propagationPolicy=`),
        remove(`${all}/five`, options({ propagationPolicy: '', orphanDependents: false })),
        remove(`${all}/five`, options({ orphanDependents: false })),
        get(`${all}/five`),
        post(all, object('six', { finalizers: ['foregroundDeletion', 'a.dev/b'] })),
        remove(`${all}/six`, options({ orphanDependents: true })),
        get(`${all}/six`),
      ];
    },
  },
  {
    name: `${title}: has owners`,
    steps: (namespace) => {
      const all = collection(namespace);
      const uid = '11111111-2222-3333-4444-555555555555';
      return [
        post(all, object('one', { ownerReferences: [owner(uid, { controller: true, blockOwnerDeletion: true })] })),
        post(all, object('two', { ownerReferences: [{ ...owner(uid), uid: '' }] })),
        post(all, object('two', { ownerReferences: [{ ...owner(uid), apiVersion: '' }] })),
        post(all, object('two', { ownerReferences: [{ ...owner(uid), apiVersion: 'a/b/c' }] })),
        post(all, object('two', { ownerReferences: [{ ...owner(uid), kind: 'Event' }] })),
        post(all, object('two', { ownerReferences: [{ name: 'owner' }] })),
        post(all, object('two', { ownerReferences: [owner(uid), owner(uid)] })),
        post(
          all,
          object('two', { ownerReferences: [owner(uid, { controller: true }), owner('x', { controller: true })] }),
        ),
        mergePatch(`${all}/one`, { metadata: { ownerReferences: null } }),
      ];
    },
  },
  {
    name: `${title}: keeps fields that the server sets`,
    steps: (namespace) => {
      const all = collection(namespace);
      const given = {
        uid: '11111111-2222-3333-4444-555555555555',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        generation: 7,
        selfLink: '/somewhere',
      };
      return [
        post(all, object('one', given)),
        mergePatch(`${all}/one`, { metadata: { generation: 9 } }),
        mergePatch(`${all}/one`, { metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } }),
        mergePatch(`${all}/one`, { metadata: { creationTimestamp: null } }),
        mergePatch(`${all}/one`, { metadata: { selfLink: '/x' } }),
        mergePatch(`${all}/one`, { metadata: { generateName: 'x-' } }),
        mergePatch(`${all}/one`, { metadata: { annotations: { big: 'x'.repeat(270_000) } } }),
        (past) => put(`${all}/one`, object('one', { resourceVersion: past[5]?.body.metadata?.resourceVersion })),
        mergePatch(`${all}/one`, { metadata: { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] } }),
        mergePatch(`${all}/one`, { metadata: { labels: { a: '' } } }),
        mergePatch(`${all}/one`, { metadata: { labels: { 'Example.com/a': 'x' } } }),
        mergePatch(`${all}/one`, { metadata: { annotations: { 'Example.com/a': 'x' } } }),
        mergePatch(`${all}/one`, { metadata: { labels: { ['x'.repeat(64)]: 'y'.repeat(64) } } }),
        get(`${all}/one`),
      ];
    },
  },
];

export const METADATA: readonly Scenario[] = [MACHINE, CONFIG_MAP].flatMap(scenariosOf);
