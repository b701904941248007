import type { Scenario } from '../scenario.ts';
import {
  AS_OLD_PARTIAL,
  AS_OLD_PARTIAL_LIST,
  AS_OLD_TABLE,
  AS_PARTIAL,
  AS_PARTIAL_LIST,
  AS_TABLE,
  get,
  post,
  remove,
} from './requests.ts';
import { ALL_SUBJECTS, CONFIG_MAP, EVENT, MACHINE, SECRET, type Subject } from './subjects.ts';

const SELECTORS = [
  'a=b',
  'a==b',
  'a!=b',
  'a',
  '!a',
  'a in (b,c)',
  'a notin (b)',
  'a=b,t=x',
  '',
  ' ',
  'a in ()',
  'a>1',
  'n>4',
  'in',
];
const BAD_SELECTORS = [
  'a=b=c',
  'a in b',
  '!',
  ',',
  'a b',
  'not a key!=x',
  'a=-',
  '=b',
  'a in (b',
  'a notin',
  '!a=b',
  'n>x',
  'a=b,',
  '/a',
];
const FIELD_SELECTORS = [
  'metadata.name=one',
  'metadata.name!=one',
  'metadata.namespace=nowhere',
  'metadata.name=one,metadata.name=two',
  '=',
];
const BAD_FIELD_SELECTORS = [
  'spec.bogus=1',
  'metadata.labels=1',
  'metadata.name',
  'metadata.uid=1',
  'metadata.name=a=b',
  'metadata.name=\\x',
];

const three = ({ collection, object }: Subject, namespace: string) => [
  post(collection(namespace), object('one', { labels: { a: 'b', t: 'x', n: '5' } })),
  post(collection(namespace), object('two', { labels: { a: 'c', in: 'use' } })),
  post(collection(namespace), object('three')),
];

const by = (kind: 'labelSelector' | 'fieldSelector', all: string, selectors: readonly string[]) =>
  selectors.map((selector) => get(`${all}?${kind}=${encodeURIComponent(selector)}`, AS_PARTIAL_LIST));

const selections = (subject: Subject): Scenario[] => [
  {
    name: `${subject.title}: is selected`,
    steps: (namespace) => {
      const all = subject.collection(namespace);
      return [
        ...three(subject, namespace),
        ...by('labelSelector', all, [...SELECTORS, ...BAD_SELECTORS]),
        ...by('fieldSelector', all, [...FIELD_SELECTORS, ...BAD_FIELD_SELECTORS]),
      ];
    },
  },
  {
    name: `${subject.title}: is listed page by page`,
    steps: (namespace) => {
      const all = subject.collection(namespace);
      return [
        ...three(subject, namespace),
        get(`${all}?limit=2`),
        (past) => get(`${all}?limit=2&continue=${encodeURIComponent(past[3]?.body.metadata.continue)}`),
        (past) => get(`${all}?limit=1&labelSelector=a&continue=${encodeURIComponent(past[3]?.body.metadata.continue)}`),
        get(`${all}?limit=1&labelSelector=a`),
        get(`${all}?limit=3`),
        get(`${all}?limit=2&continue=nonsense`),
        get(`${all}?limit=-1`),
        get(`${all}?limit=many`),
        get(`${all}?limit=2&resourceVersion=0`, AS_PARTIAL_LIST),
        get(`${all}?resourceVersion=1&resourceVersionMatch=Exact&limit=1`),
        get(`${all}?resourceVersionMatch=Exact`),
        get(`${all}?resourceVersion=1&resourceVersionMatch=Sideways`),
        get(`${all}?resourceVersion=abc`),
        get(`${all}?resourceVersion=0&resourceVersionMatch=NotOlderThan`, AS_PARTIAL_LIST),
      ];
    },
  },
  {
    name: `${subject.title}: is deleted as a collection`,
    steps: (namespace) => {
      const all = subject.collection(namespace);
      return [
        ...three(subject, namespace),
        remove(`${all}?labelSelector=a%3Db&dryRun=All`),
        remove(`${all}?limit=2&dryRun=All`),
        remove(`${all}?limit=x`),
        remove(`${all}?sendInitialEvents=true`),
        remove(`${all}?labelSelector=a%3Db`),
        get(all, AS_PARTIAL_LIST),
        remove(`${all}?fieldSelector=metadata.name%3Dtwo`),
        remove(`${all}?labelSelector=%21%21`),
        remove(all),
        get(all),
        remove(all),
      ];
    },
  },
];

const forms = (subject: Subject): Scenario => ({
  name: `${subject.title}: is returned in each format`,
  steps: (namespace) => {
    const all = subject.collection(namespace);
    const accept = (value: string) => ({ accept: value });
    return [
      post(all, subject.object('one', { labels: { a: 'b' } })),
      get(all, AS_TABLE),
      get(`${all}/one`, AS_TABLE),
      get(`${all}?includeObject=Object`, AS_TABLE),
      get(`${all}?includeObject=None`, AS_TABLE),
      get(`${all}?includeObject=Some`, AS_TABLE),
      get(`${all}/one`, AS_PARTIAL),
      get(all, AS_PARTIAL_LIST),
      get(all, AS_PARTIAL),
      get(`${all}/one`, AS_PARTIAL_LIST),
      get(`${all}/one`, accept('application/xml')),
      get(`${all}/one`, accept('text/html, */*')),
      get(`${all}/one`, accept('application/*')),
      get(`${all}/one`, accept('nonsense')),
      get(`${all}/one`, accept('application/json;as=Table;v=v9;g=meta.k8s.io')),
      get(`${all}/one`, accept('application/json;as=Other;v=v1;g=meta.k8s.io')),
      get(`${all}/one`, accept('application/json;q=0.5,application/json;as=Table;v=v1;g=meta.k8s.io')),
      get(all, AS_OLD_TABLE),
      get(`${all}/one`, AS_OLD_TABLE),
      get(`${all}?includeObject=Object`, AS_OLD_TABLE),
      get(`${all}/one`, AS_OLD_PARTIAL),
      get(all, AS_OLD_PARTIAL_LIST),
      get(`${all}?fieldSelector=metadata.name%3Dnone`, AS_OLD_PARTIAL_LIST),
      get(all, AS_OLD_PARTIAL),
      get(`${all}/one`, AS_OLD_PARTIAL_LIST),
      get(all, accept(`${AS_OLD_TABLE.accept},${AS_TABLE.accept}`)),
      get(all, accept(`application/json;as=Table;v=v1;g=meta.k8s.io,${AS_OLD_TABLE.accept},application/json`)),
      get(all, accept('application/json;as=Table;v=v1beta1')),
      get(`${all}/missing`, AS_OLD_TABLE),
      post(all, subject.object('old'), AS_OLD_PARTIAL),
      post(all, subject.object('two'), AS_TABLE),
      post(all, subject.object('three'), AS_PARTIAL),
      get(`${all}/missing`, AS_TABLE),
      get(`${all}?limit=1`, AS_TABLE),
    ];
  },
});

const ownSelectors: Scenario[] = [
  {
    name: 'Event: is selected by its object',
    steps: (namespace) => {
      const all = EVENT.collection(namespace);
      return [
        post(all, EVENT.object('one')),
        ...by('fieldSelector', all, [
          'involvedObject.kind=Machine,involvedObject.name=one',
          'involvedObject.kind=Cluster',
          'reason=Created',
          'type=Warning',
          'reportingComponent=tests',
          'source=tests',
          'involvedObject.uid=',
        ]),
      ];
    },
  },
  {
    name: 'Secret: is selected by its type',
    steps: (namespace) => {
      const all = SECRET.collection(namespace);
      return [
        post(all, SECRET.object('one')),
        ...by('fieldSelector', all, ['type=Opaque', 'type=other', 'type!=Opaque']),
      ];
    },
  },
];

const FUTURE = '99999999';

/** Lists at resource versions, and with continue tokens, that do not exist. */
const versions = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is listed at versions that do not exist`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one')),
      get(`${all}?resourceVersion=${FUTURE}&resourceVersionMatch=NotOlderThan`),
      get(`${all}?resourceVersion=${FUTURE}&resourceVersionMatch=Exact`),
      get(`${all}?resourceVersion=18446744073709551616`),
      get(`${all}?resourceVersion=-1`),
      get(`${all}?resourceVersion=00`, AS_PARTIAL_LIST),
      get(`${all}?limit=1.5`),
      get(`${all}?limit=99999999999999999999`),
      get(`${all}?limit=`),
      get(`${all}?timeoutSeconds=x`),
      get(`${all}?continue=e30`),
      get(`${all}?continue=abc&resourceVersion=0&resourceVersionMatch=NotOlderThan`),
      (past) => get(`${all}?resourceVersion=${past[0]?.body.metadata.resourceVersion}`, AS_PARTIAL_LIST),
      (past) => {
        const version = past[0]?.body.metadata.resourceVersion;
        return get(`${all}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`, AS_PARTIAL_LIST);
      },
    ];
  },
});

const manyValues = (count: number): string => Array.from({ length: count }, (_, index) => `v${index}`).join(',');

/** Selectors that are very long or that are not valid text. */
const strange = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is selected by unusual selectors`,
  steps: (namespace) => {
    const all = collection(namespace);
    const select = (kind: string, raw: string) => get(`${all}?${kind}=${raw}`, AS_PARTIAL_LIST);
    return [
      post(all, object('one', { labels: { a: 'v7' } })),
      select('labelSelector', `a%20in%20(${manyValues(1500)})`),
      select('labelSelector', `a%20notin%20(${manyValues(1500)})`),
      select('labelSelector', '('.repeat(1000)),
      select('labelSelector', '!'.repeat(1000)),
      select('labelSelector', 'a,'.repeat(1000)),
      select('labelSelector', '%ff'),
      select('labelSelector', 'a%3D%ff'),
      select('fieldSelector', 'metadata.name%3D%ff'),
      select('fieldSelector', '%ff%3Da'),
      select('labelSelector', '%00'),
      select('labelSelector', '__proto__'),
      select('labelSelector', 'constructor%3Da'),
      select('fieldSelector', '__proto__%3Da'),
      select('limit', '%ff'),
      get(`${all}/%ff`),
      get(`${all}/__proto__`),
    ];
  },
});

export const LISTS: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap(selections),
  ...ALL_SUBJECTS.map(forms),
  ...ownSelectors,
  versions(CONFIG_MAP),
  ...[MACHINE, CONFIG_MAP].map(strange),
];
