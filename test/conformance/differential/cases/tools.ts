import type { JsonObject } from '../../../../shared/kube-api/json.ts';
import type { Scenario } from '../scenario.ts';
import { AS_PARTIAL_LIST, applyPatch, get, jsonPatch, mergePatch, post, put, remove, type } from './requests.ts';
import { CLUSTER, CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';

/** Requests of kubectl, GitOps tools and controllers, with the parameters and headers that they add. */

const KUBECTL = { 'user-agent': 'kubectl/v1.35.0 (linux/amd64) kubernetes/abcdef0' };
const MERGE = { ...type('application/merge-patch+json'), ...KUBECTL };

const options = (more: object = {}) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...more });

const kubectl = ({ title, collection, object, change }: Subject): Scenario => ({
  name: `${title}: is written by kubectl`,
  steps: (namespace) => {
    const all = collection(namespace);
    const one = `${all}/one`;
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object('one')) };
    const labelled = object('one', { labels: { x: 'y' } });
    const clientSide = 'fieldManager=kubectl-client-side-apply&fieldValidation=Strict';
    return [
      post(`${all}?${clientSide}`, object('one', { annotations }), KUBECTL),
      { ...mergePatch(`${one}?dryRun=All&${clientSide}`, change), headers: MERGE },
      applyPatch(`${one}?dryRun=All&fieldManager=kubectl&fieldValidation=Strict&force=false`, labelled),
      applyPatch(`${one}?fieldManager=kubectl&fieldValidation=Strict&force=false`, labelled),
      mergePatch(`${one}?fieldManager=kubectl-edit`, { metadata: { labels: { x: 'z' } } }),
      applyPatch(`${one}?fieldManager=kubectl&force=false`, labelled),
      applyPatch(`${one}?fieldManager=kubectl&force=true`, labelled),
      mergePatch(`${one}?fieldManager=kubectl-label`, { metadata: { labels: { q: 'r' } } }),
      mergePatch(`${one}?fieldManager=kubectl-annotate`, { metadata: { annotations: { q: 'r' } } }),
      jsonPatch(one, [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
      mergePatch(one, { metadata: { labels: { after: 'x' } } }),
      put(`${one}?fieldManager=kubectl-replace&fieldValidation=Strict`, { ...object('one'), bogus: 1 }),
      { ...remove(one, options({ propagationPolicy: 'Background' })), headers: KUBECTL },
      ...['Go-http-client/1.1', '', 'curl', 'Terraform/1.9 (+https://www.terraform.io)', '/1', 'x'.repeat(200)].map(
        (agent, index) => post(all, object(`ua${index}`), { 'user-agent': agent }),
      ),
    ];
  },
});

/** Parameters that are empty because a script expanded an empty variable. */
const emptyParameters = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is written with empty parameters`,
  steps: (namespace) => {
    const all = collection(namespace);
    const one = `${all}/one`;
    return [
      post(all, object('one', { finalizers: ['example.com/a'] })),
      post(`${all}?dryRun=`, object('two')),
      post(`${all}?dryRun`, object('two')),
      post(`${all}?dryRun=All&dryRun=`, object('two')),
      put(`${one}?dryRun=`, object('one')),
      put(`${one}?dryRun=x`, object('one')),
      mergePatch(`${one}?dryRun=`, {}),
      applyPatch(`${one}?dryRun=&fieldManager=m`, object('one')),
      remove(`${one}?dryRun=`),
      remove(`${all}?dryRun=`),
      remove(one, options({ dryRun: [''] })),
      post(`${all}?fieldValidation=&fieldManager=`, object('three')),
      get(all, AS_PARTIAL_LIST),
    ];
  },
});

const condition = (name: string, status: string): JsonObject => ({
  type: name,
  status,
  reason: 'Fine',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
});

/** Several controllers write the status of one object. */
const controllers = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: gets its conditions from several controllers`,
  steps: (namespace) => {
    const one = `${collection(namespace)}/one`;
    const { apiVersion, kind, spec } = object('one');
    const config = (...conditions: JsonObject[]) => ({
      apiVersion,
      kind,
      metadata: { name: 'one' },
      status: { conditions },
    });
    const as = (manager: string, ...conditions: JsonObject[]) =>
      applyPatch(`${one}/status?fieldManager=${manager}`, config(...conditions));
    return [
      post(collection(namespace), object('one')),
      as('first', condition('A', 'True')),
      as('second', condition('B', 'True')),
      as('second', condition('A', 'False')),
      as('second&force=true', condition('A', 'False')),
      as('first'),
      applyPatch(`${one}?fieldManager=third`, { ...config(condition('C', 'True')), spec }),
      applyPatch(`${one}?fieldManager=third`, { ...config(), status: undefined, spec }),
      mergePatch(`${one}/status?fieldManager=fourth`, { status: { conditions: [condition('D', 'True')] } }),
      applyPatch(`${collection(namespace)}/none/status?fieldManager=first`, {
        ...config(),
        metadata: { name: 'none' },
      }),
      as('first', condition('A', 'Maybe')),
      jsonPatch(`${one}/status`, [{ op: 'add', path: '/status/conditions/-', value: condition('E', 'True') }]),
      jsonPatch(`${one}/status`, [{ op: 'test', path: '/status/conditions/0/type', value: 'none' }]),
      get(one),
    ];
  },
});

export const TOOLS: readonly Scenario[] = [
  ...[MACHINE, CONFIG_MAP].flatMap((subject) => [kubectl(subject), emptyParameters(subject)]),
  ...[MACHINE, CLUSTER].map(controllers),
];
