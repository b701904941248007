import type { Asked } from '../endpoint.ts';
import type { Scenario } from '../scenario.ts';
import { AS_PARTIAL, AS_TABLE, applyPatch, get, mergePatch, post, put, remove, send, type } from './requests.ts';
import { CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';

/** Requests as the libraries and tools of controllers send them, including ones at the limits of what is allowed. */

const heads = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is asked for its headers`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one')),
      send('HEAD', all),
      send('HEAD', `${all}/one`),
      send('HEAD', `${all}/missing`),
      send('HEAD', `${all}/one/bogus`),
      send('HEAD', all.replace(`/namespaces/${namespace}`, '')),
      send('HEAD', all, AS_TABLE),
    ];
  },
});

/** Requests of Go's typed clients, which send zero values of structs and times. */
const typed = ({ title, collection, object, custom }: Subject): Scenario => ({
  name: `${title}: is written by a typed client`,
  steps: (namespace) => {
    const all = collection(namespace);
    const zero = (name: string, more: object = {}) => ({
      ...object(name, { creationTimestamp: null, ...more }),
      ...(custom ? { status: {} } : {}),
    });
    return [
      post(all, zero('one')),
      (past) => put(`${all}/one`, zero('one', { resourceVersion: past[0]?.body.metadata.resourceVersion })),
      put(`${all}/one`, zero('one', { resourceVersion: '' })),
      mergePatch(`${all}/one`, { metadata: { creationTimestamp: null, labels: { a: 'b' } }, status: {} }),
      applyPatch(`${all}/two?fieldManager=typed&force=true`, zero('two')),
      applyPatch(`${all}/two?fieldManager=typed&force=true`, zero('two', { managedFields: null })),
      applyPatch(`${all}/two?fieldManager=typed&force=true`, zero('two', { labels: {}, annotations: null })),
      applyPatch(`${all}/two?fieldManager=typed&force=true`, zero('two', { finalizers: [], ownerReferences: [] })),
      get(`${all}/two`),
      post(all, zero('x'.repeat(253))),
      post(all, zero('x'.repeat(254))),
      post(all, zero('a.b-c')),
      post(all, { ...zero('list'), kind: `${title}List`, items: [] }),
    ];
  },
});

const applied = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is applied in other ways`,
  steps: (namespace) => {
    const one = `${collection(namespace)}/one`;
    const yaml = [
      `apiVersion: ${object('one').apiVersion} # with a comment`,
      `kind: ${title}`,
      'metadata:',
      '  name: one',
      '  labels: &labels {a: "b"}',
      '  annotations: *labels',
      ...(object('one').spec ? [`spec: ${JSON.stringify(object('one').spec)}`] : []),
    ].join('\n');
    const as = (contentType: string, query: string, body: unknown): Asked =>
      send('PATCH', `${one}?${query}`, type(contentType), body);
    const APPLY = 'application/apply-patch+yaml';
    return [
      as(APPLY, 'fieldManager=m', yaml),
      as(`${APPLY}; charset=utf-8`, 'fieldManager=m', yaml),
      as(APPLY, 'fieldManager=m', `${yaml}\n---\n${yaml}`),
      as(APPLY, 'fieldManager=m', `---\n${yaml}`),
      as(APPLY, 'fieldManager=m', `${yaml}\nkind: ${title}`),
      as(APPLY, 'fieldManager=m&fieldValidation=Strict', `${yaml}\nkind: ${title}`),
      as(APPLY, 'fieldManager=m', ''),
      as(APPLY, 'fieldManager=m', 'null'),
      as(APPLY, 'fieldManager=', yaml),
      as(APPLY, 'fieldManager=m&force=maybe', yaml),
      as(APPLY, 'fieldManager=m&force=false', yaml),
      as(APPLY, 'fieldManager=m&force=', yaml),
      as(APPLY, 'fieldManager=m&dryRun=Some', yaml),
      as(APPLY, 'fieldManager=m&fieldValidation=Sometimes', yaml),
      as('application/apply-patch+cbor', 'fieldManager=m', yaml),
      as('application/apply-patch+json', 'fieldManager=m', yaml),
      as('', 'fieldManager=m', yaml),
      as('application/merge-patch+json; charset=utf-8', 'fieldManager=m', '{}'),
      as('application/merge-patch+json', 'fieldManager=m', ''),
      as('application/merge-patch+json', 'force=false', '{}'),
      as('application/json-patch+json', '', ''),
      as('application/json-patch+json', '', '[]'),
      as('application/json-patch+json', '', '[{"op":"test","path":"/kind","value":"x"}]'),
      as('application/cbor', '', '{}'),
      {
        ...applyPatch(`${one}?fieldManager=m`, object('one', { labels: { a: 'b' } })),
        headers: { ...type(APPLY), ...AS_PARTIAL },
      },
      {
        ...mergePatch(one, { metadata: { labels: { c: 'd' } } }),
        headers: { ...type('application/merge-patch+json'), ...AS_PARTIAL },
      },
      {
        ...mergePatch(one, { metadata: { labels: { c: 'e' } } }),
        headers: { ...type('application/merge-patch+json'), ...AS_TABLE },
      },
      send('DELETE', one, AS_PARTIAL),
    ];
  },
});

const deleted = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is deleted in other ways`,
  steps: (namespace) => {
    const all = collection(namespace);
    const one = `${all}/one`;
    const options = (more: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...more });
    return [
      post(all, object('one', { finalizers: ['example.com/a'], labels: { a: 'b' } })),
      remove(`${one}?gracePeriodSeconds=-1&dryRun=All`),
      remove(`${one}?gracePeriodSeconds=x`),
      remove(`${one}?orphanDependents=maybe`),
      remove(`${one}?orphanDependents=true&dryRun=All`),
      remove(`${one}?propagationPolicy=Sideways`),
      remove(`${one}?propagationPolicy=Orphan&orphanDependents=true`),
      remove(`${one}?dryRun=all`),
      remove(`${one}?dryRun=All&dryRun=All`),
      remove(`${one}?dryRun=`, options({ dryRun: ['All'] })),
      remove(`${one}?dryRun=All`, options({})),
      remove(one, options({ dryRun: 'All' })),
      remove(one, options({ dryRun: ['Some'] })),
      remove(one, options({ apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] })),
      remove(one, options({ apiVersion: 'apps/v1', dryRun: ['All'] })),
      remove(one, options({ apiVersion: 'cluster.x-k8s.io/v1beta2', dryRun: ['All'] })),
      remove(one, options({ kind: 'Other', dryRun: ['All'] })),
      remove(one, options({ bogus: 1, dryRun: ['All'] })),
      remove(one, options({ preconditions: { uid: '' }, dryRun: ['All'] })),
      remove(one, options({ preconditions: {}, dryRun: ['All'] })),
      remove(one, options({ preconditions: { resourceVersion: 'abc' } })),
      remove(one, options({ gracePeriodSeconds: 'x' })),
      remove(one, options({ gracePeriodSeconds: 0, dryRun: ['All'] })),
      remove(one, options({ ignoreStoreReadErrorWithClusterBreakingPotential: true })),
      remove(one, options({ ignoreStoreReadErrorWithClusterBreakingPotential: false, dryRun: ['All'] })),
      remove(one, 'null'),
      remove(`${all}/missing`, options({ preconditions: { uid: 'x' } })),
      { ...remove(one, 'dryRun: [All]'), headers: type('application/yaml') },
      { ...remove(one, '{}'), headers: type('text/plain') },
      { ...remove(`${one}?dryRun=All`), headers: AS_TABLE },
      remove(all, options({ dryRun: ['All'], preconditions: { uid: 'another' } })),
      remove(all, options({ preconditions: { resourceVersion: '1' } })),
      remove(all, options({ propagationPolicy: 'Sideways' })),
      remove(all, options({ gracePeriodSeconds: -1, dryRun: ['All'] })),
      remove(all, '{'),
      remove(`${all}?dryRun=Some`),
      remove(`${all}?resourceVersion=1&resourceVersionMatch=Exact&dryRun=All`),
      remove(`${all}?resourceVersion=abc`),
      remove(`${all}?labelSelector=a%3Db`, options({ propagationPolicy: 'Foreground' })),
      get(all),
      mergePatch(one, { metadata: { finalizers: null } }),
      get(all),
    ];
  },
});

export const CLIENTS: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [heads(subject), typed(subject), applied(subject), deleted(subject)]),
];
