import type { Asked } from '../endpoint.ts';
import type { Scenario } from '../scenario.ts';
import { applyPatch, get, mergePatch, post } from './requests.ts';
import { CONFIG_MAP, MACHINE, MACHINE_DEPLOYMENT, SUBJECTS, type Subject } from './subjects.ts';

const apply = (path: string, body: unknown, manager = 'one', more = ''): Asked =>
  applyPatch(`${path}?fieldManager=${manager}${more}`, body);

const scenarioOf = ({ title, collection, object, change }: Subject): Scenario => ({
  name: `${title}: is applied`,
  steps: (namespace) => {
    const one = `${collection(namespace)}/one`;
    const changed = {
      ...object('one'),
      ...change,
      ...(change.spec ? { spec: { ...(object('one').spec as object), ...(change.spec as object) } } : {}),
    };
    return [
      apply(one, object('one', { labels: { a: 'b' } })),
      apply(one, object('one', { labels: { a: 'b' } })),
      apply(one, object('one', { labels: { c: 'd' } })),
      apply(one, object('one', { labels: { c: 'other' } }), 'two'),
      apply(one, object('one', { labels: { c: 'other' } }), 'two', '&force=true'),
      apply(one, object('one', { labels: { c: 'd' } }), 'one', '&dryRun=All&force=true'),
      apply(one, object('one')),
      apply(one, changed, 'three'),
      mergePatch(`${one}?fieldManager=editor`, { metadata: { labels: { e: 'f' } } }),
      apply(one, object('one', { labels: { e: 'g' } })),
      applyPatch(one, object('one')),
      apply(one, { ...object('one'), metadata: { managedFields: [] } }),
      apply(one, { ...object('one'), metadata: {} }),
      apply(one, { ...object('one'), kind: 'Other' }),
      apply(one, { metadata: { name: 'one' } }),
      apply(one, object('two')),
      apply(one, '{'),
      apply(one, 'a: ['),
      apply(one, '[]'),
      apply(one, object('one'), 'x'.repeat(129)),
      apply(one, object('one', { resourceVersion: '1' })),
      apply(one, object('one', { uid: 'another' })),
      apply(`${collection(namespace)}/two`, object('two', { uid: 'another' })),
      apply(one, { ...object('one'), bogus: 1 }, 'one', '&fieldValidation=Strict'),
      apply(one, { ...object('one'), bogus: 1 }, 'one', '&fieldValidation=Warn'),
      mergePatch(`${one}?force=true`, {}),
      mergePatch(one, { metadata: { managedFields: [] } }),
      mergePatch(one, { metadata: { managedFields: [{}] } }),
      get(one),
    ];
  },
});

const managers: Scenario = {
  name: 'Machine: records who manages which fields',
  steps: (namespace) => {
    const all = MACHINE.collection(namespace);
    const agent = (name: string) => ({ 'user-agent': `${name}/v1 (linux)` });
    return [
      post(all, MACHINE.object('one', { labels: { a: 'b' } }), agent('creator')),
      {
        ...mergePatch(`${all}/one`, { spec: { version: 'v1.34.0' } }),
        headers: { ...agent('editor'), 'content-type': 'application/merge-patch+json' },
      },
      mergePatch(`${all}/one?fieldManager=editor`, {
        spec: { version: 'v1.34.1' },
        metadata: { finalizers: ['a.b/c'] },
      }),
      mergePatch(`${all}/one/status?fieldManager=reporter`, {
        status: {
          phase: 'Running',
          conditions: [
            { type: 'Ready', status: 'True', reason: 'x', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' },
          ],
        },
      }),
      mergePatch(`${all}/one?fieldManager=editor`, { spec: { version: null } }),
      apply(
        `${all}/one/status`,
        { ...MACHINE.object('one'), spec: undefined, status: { phase: 'Failed' } },
        'reporter',
      ),
      apply(
        `${all}/one/status`,
        { ...MACHINE.object('one'), spec: undefined, status: { phase: 'Failed' } },
        'reporter',
        '&force=true',
      ),
      get(`${all}/one`),
    ];
  },
};

const gates = (...types: string[]) => ({ readinessGates: types.map((conditionType) => ({ conditionType })) });

const lists: Scenario = {
  name: 'Machine: has list items of several managers',
  steps: (namespace) => {
    const one = `${MACHINE.collection(namespace)}/one`;
    const base = MACHINE.object('one');
    const spec = base.spec as object;
    return [
      apply(one, { ...base, spec: { ...spec, ...gates('a', 'b') } }),
      apply(one, { apiVersion: base.apiVersion, kind: base.kind, metadata: base.metadata, spec: gates('c') }, 'two'),
      apply(one, { ...base, spec: { ...spec, ...gates('b') } }),
      apply(one, { ...base, spec: { ...spec, readinessGates: [{ conditionType: 'c', polarity: 'Negative' }] } }),
      apply(one, { ...base, spec: { ...spec, readinessGates: [{ conditionType: 'x' }, { conditionType: 'x' }] } }),
      apply(one, { ...base, spec }),
    ];
  },
};

const scaled: Scenario = {
  name: 'MachineDeployment: has replicas that a client of /scale owns',
  steps: (namespace) => {
    const one = `${MACHINE_DEPLOYMENT.collection(namespace)}/one`;
    const { replicas: _, ...spec } = MACHINE_DEPLOYMENT.object('one').spec as { replicas: number };
    return [
      apply(one, MACHINE_DEPLOYMENT.object('one')),
      mergePatch(`${one}/scale?fieldManager=scaler`, { spec: { replicas: 5 } }),
      apply(one, MACHINE_DEPLOYMENT.object('one')),
      apply(one, { ...MACHINE_DEPLOYMENT.object('one'), spec }),
      get(one),
    ];
  },
};

const handOver: Scenario = {
  name: 'ConfigMap: is migrated from client-side to server-side apply',
  steps: (namespace) => {
    const all = CONFIG_MAP.collection(namespace);
    const last = {
      'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(CONFIG_MAP.object('one'))}\n`,
    };
    return [
      post(`${all}?fieldManager=kubectl-client-side-apply`, CONFIG_MAP.object('one', { annotations: last })),
      apply(`${all}/one`, { ...CONFIG_MAP.object('one'), data: { a: '7' } }, 'kubectl'),
      get(`${all}/one`),
    ];
  },
};

export const APPLY: readonly Scenario[] = [...SUBJECTS.map(scenarioOf), managers, lists, scaled, handOver];
