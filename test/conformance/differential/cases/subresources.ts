import type { Scenario } from '../scenario.ts';
import {
  AS_PARTIAL,
  AS_TABLE,
  applyPatch,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  send,
  strategicPatch,
} from './requests.ts';
import { CLUSTER, MACHINE, MACHINE_DEPLOYMENT, type Subject } from './subjects.ts';

const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Fine',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
};

const status = ({ title, collection, object, change }: Subject): Scenario => ({
  name: `${title}: has a status`,
  steps: (namespace) => {
    const one = `${collection(namespace)}/one`;
    return [
      post(collection(namespace), { ...object('one'), status: { conditions: [condition] } }),
      get(`${one}/status`),
      mergePatch(one, { status: { conditions: [condition] } }),
      mergePatch(`${one}/status`, { ...change, status: { conditions: [condition] } }),
      mergePatch(`${one}/status`, { status: { conditions: [condition] } }),
      mergePatch(`${one}/status`, { status: { conditions: [{ ...condition, status: 'Maybe' }] } }),
      mergePatch(`${one}/status`, { status: { conditions: [condition, condition] } }),
      mergePatch(`${one}/status?fieldValidation=Strict`, { status: { bogus: 1 } }),
      mergePatch(`${one}/status?fieldValidation=Warn`, { status: { bogus: 1 } }),
      jsonPatch(`${one}/status`, [{ op: 'replace', path: '/status/conditions/0/message', value: 'All is well' }]),
      (past) => put(`${one}/status`, { ...past[9]?.body, status: { observedGeneration: 1 } }),
      (past) => put(`${one}/status`, past[0]?.body),
      put(`${one}/status`, object('one')),
      mergePatch(`${one}/status?dryRun=All`, { status: null }),
      mergePatch(`${one}/status`, { status: null }),
      get(`${one}/status`, AS_TABLE),
      get(`${collection(namespace)}/missing/status`),
      mergePatch(`${collection(namespace)}/missing/status`, {}),
      get(one),
    ];
  },
});

const deafStatus = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: has a status, whose writes ignore metadata`,
  steps: (namespace) => {
    const one = `${collection(namespace)}/one`;
    const metadata = { labels: { a: 'b' }, finalizers: ['example.com/a'] };
    return [
      post(collection(namespace), object('one')),
      mergePatch(`${one}/status`, { metadata }),
      (past) => put(`${one}/status`, { ...past[0]?.body, metadata: { ...past[1]?.body.metadata, ...metadata } }),
      get(one),
    ];
  },
});

const withoutReplicas: Scenario = {
  name: 'MachineDeployment: has removed replicas',
  steps: (namespace) => {
    const all = MACHINE_DEPLOYMENT.collection(namespace);
    return [
      post(all, MACHINE_DEPLOYMENT.object('one')),
      mergePatch(`${all}/one/scale`, { spec: null }),
      get(`${all}/one`),
      mergePatch(`${all}/one/scale`, { spec: { replicas: 4 } }),
      get(`${all}/one`),
    ];
  },
};

const scale: Scenario = {
  name: 'MachineDeployment: has a scale',
  steps: (namespace) => {
    const all = MACHINE_DEPLOYMENT.collection(namespace);
    const one = `${all}/one`;
    const scaleObject = (replicas: unknown, metadata: object = {}) => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'one', namespace, ...metadata },
      spec: { replicas },
    });
    return [
      post(all, MACHINE_DEPLOYMENT.object('one')),
      get(`${one}/scale`),
      mergePatch(`${one}/scale`, { spec: { replicas: 3 } }),
      mergePatch(`${one}/scale`, { spec: { replicas: 3 } }),
      mergePatch(`${one}/scale?dryRun=All`, { spec: { replicas: 7 } }),
      mergePatch(`${one}/scale`, { spec: { replicas: -1 } }),
      mergePatch(`${one}/scale`, { spec: { replicas: 'x' } }),
      (past) => put(`${one}/scale`, scaleObject(4, { resourceVersion: past[2]?.body.metadata.resourceVersion })),
      (past) => put(`${one}/scale`, { ...past[1]?.body, spec: { replicas: 5 } }),
      put(`${one}/scale`, scaleObject(6)),
      put(`${one}/scale`, { ...scaleObject(6), kind: 'Other' }),
      put(`${one}/scale`, scaleObject(6, { name: 'two' })),
      put(`${one}/scale`, scaleObject(6, { name: undefined })),
      put(`${one}/scale`, scaleObject(6, { namespace: 'elsewhere' })),
      put(`${one}/scale`, scaleObject(6, { uid: 'another' })),
      put(`${one}/scale`, scaleObject('x')),
      mergePatch(`${one}/scale?fieldValidation=Strict`, { bogus: 1 }),
      strategicPatch(`${one}/scale`, { spec: { replicas: 1 } }),
      jsonPatch(`${one}/scale`, [{ op: 'replace', path: '/spec/replicas', value: 1 }]),
      mergePatch(`${one}/status`, { status: { replicas: 2, selector: 'a=b' } }),
      get(`${one}/scale`),
      get(`${all}/missing/scale`),
      send('HEAD', `${all}/one/scale`),
      get(`${all}/one/scale`, AS_TABLE),
      get(`${all}/one/scale`, AS_PARTIAL),
      get(one),
      // This is the last step, because only one of the two servers supports it.
      applyPatch(`${one}/scale?fieldManager=scaler&force=true`, scaleObject(2)),
    ];
  },
};

export const SUBRESOURCES: readonly Scenario[] = [
  ...[MACHINE, CLUSTER, MACHINE_DEPLOYMENT].map(status),
  deafStatus(MACHINE),
  scale,
  withoutReplicas,
];
