import type { JsonObject } from '../../../../shared/kube-api/json.ts';
import type { Asked } from '../endpoint.ts';
import type { Scenario } from '../scenario.ts';
import { applyPatch, get, mergePatch } from './requests.ts';

/** Server-side apply in two versions of a kind; see `twins.ts` in the parent folder. */

type Version = 'v1' | 'v2';

const collection = (version: Version, namespace: string): string =>
  `/apis/differential.windlass.dev/${version}/namespaces/${namespace}/twins`;

const apply = (namespace: string, version: Version, manager: string, spec: JsonObject, query = ''): Asked =>
  applyPatch(`${collection(version, namespace)}/one?fieldManager=${manager}${query}`, {
    apiVersion: `differential.windlass.dev/${version}`,
    kind: 'Twin',
    metadata: { name: 'one' },
    spec,
  });

const VERSIONS: readonly Version[] = ['v1', 'v2'];
const mixes = VERSIONS.flatMap((first) => VERSIONS.flatMap((second) => VERSIONS.map((then) => [first, second, then])));

const whole = {
  color: 'red',
  gates: [{ type: 'a', polarity: 'Negative', note: 'n' }, { type: 'b' }],
  zones: ['x', 'y'],
  nested: { a: '1', b: { c: '2', d: '3' } },
  labels: { k: 'v', l: 'w' },
};
const part = { gates: [{ type: 'a' }], zones: ['x'], nested: { b: { c: '2' } }, labels: { k: 'v' } };

export const TWIN_CASES: readonly Scenario[] = [
  ...mixes.map(
    ([first, second, then]): Scenario => ({
      name: `Twin: is applied in ${first} and ${second}, then by the first manager in ${then}`,
      steps: (namespace) => {
        const one = (spec: JsonObject, version = then as Version) => apply(namespace, version, 'one', spec);
        const two = (spec: JsonObject, query = '') => apply(namespace, second as Version, 'two', spec, query);
        return [
          one(whole, first as Version),
          two(part),
          one({ ...part, gates: [{ type: 'a', note: 'n' }] }),
          one({ color: 'red' }),
          two({ ...part, gates: [{ type: 'a', note: 'other' }] }),
          one({ gates: [{ type: 'a', note: 'mine' }] }),
          two({ gates: [{ type: 'a', note: 'theirs' }] }, '&force=true'),
          mergePatch(`${collection('v1', namespace)}/one?fieldManager=three`, {
            spec: { gates: [{ type: 'c' }], zones: null },
          }),
          one(whole),
          two({}),
          one({}),
          get(`${collection('v2', namespace)}/one`),
        ];
      },
    }),
  ),
];
