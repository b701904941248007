import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { type Fetch, makePageApi } from './client.ts';
import { sendEdit } from './edit.ts';
import { yamlOf } from './yaml.ts';

const ORIGINAL = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { namespace: 'default', name: 'md', resourceVersion: '7' },
  spec: { replicas: 3 },
} as unknown as KubeObject;

const RESOURCES = { resources: [{ name: 'machinedeployments', kind: 'MachineDeployment', namespaced: true }] };

/** Sends an edit to an API that returns this response. */
const edited = async (answer: Response, dryRun: boolean) => {
  const sent: { path: string; method?: string; body?: unknown }[] = [];
  const send: Fetch = async (path, { method, body } = {}) => {
    if (method === 'GET') return Response.json(RESOURCES);
    sent.push({ path, method, body: JSON.parse(String(body)) });
    return answer;
  };
  const text = yamlOf(ORIGINAL).replace('replicas: 3', 'replicas: 4');
  return { outcome: await sendEdit({ api: makePageApi(send), send, original: ORIGINAL, text, dryRun }), sent };
};

const PATH = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments/md';

it('an edit is planned by a dry run, and the warnings are the plan', async () => {
  const warning = { warning: '299 - "plan: creates 1 Machine"' };
  const { outcome, sent } = await edited(Response.json(ORIGINAL, { headers: warning }), true);

  expect(outcome).toEqual({ isRefused: false, lines: ['creates 1 Machine'] });
  const body = { ...ORIGINAL, spec: { replicas: 4 } };
  expect(sent).toEqual([{ path: `${PATH}?dryRun=All`, method: 'PUT', body }]);
});

it('an edit is applied to the version that it is based on, and a conflict is shown', async () => {
  const conflict = { kind: 'Status', code: 409, message: 'the object has been modified' };
  const { outcome, sent } = await edited(Response.json(conflict, { status: 409 }), false);

  expect(outcome).toEqual({ isRefused: true, why: 'the object has been modified' });
  expect(sent).toMatchObject([{ path: PATH, body: { metadata: { resourceVersion: '7' } } }]);
});
