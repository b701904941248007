import { beforeEach, describe, expect, it } from 'vitest';
import { jsonLog } from '../../../shared/log.ts';
import { ARN, binding, clusterBinding, createTestApi, RBAC, user } from '../test-api.ts';
import { makeAnswer } from './answer.ts';
import type { ProxyEvent } from './proxy-event.ts';

const CANARY = 'canary-7f3a';
const CORE = '/api/v1/namespaces/default';
const DEPLOYMENTS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';

const deployment = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name: 'workers' },
  spec: {
    clusterName: 'one',
    replicas: 1,
    template: {
      spec: {
        clusterName: 'one',
        bootstrap: { dataSecretName: 'data' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'workers' },
      },
    },
  },
};
const secret = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, annotations: { note: CANARY } },
  stringData: { password: CANARY },
});

let world: ReturnType<typeof createTestApi>;
let lines: string[];
let send: (who: string, method: string, url: string, body?: object, headers?: ProxyEvent['headers']) => Promise<number>;

beforeEach(async () => {
  world = createTestApi();
  lines = [];
  const answer = makeAnswer({ api: world.another(), log: jsonLog((line) => lines.push(line)) });
  send = async (who, method, url, body, headers = {}) => {
    const { pathname, searchParams } = new URL(url, 'https://api');
    const groups = who === 'WindlassAdmin' ? 'system:masters,system:authenticated' : 'system:authenticated';
    const types = { PATCH: 'application/merge-patch+json' }[method] ?? 'application/json';
    const { statusCode, body: sent } = await answer({
      httpMethod: method,
      path: pathname,
      headers: { 'Content-Type': types, 'User-Agent': 'kubectl/v1.34', Authorization: `Bearer ${CANARY}`, ...headers },
      multiValueQueryStringParameters: Object.fromEntries(
        [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
      ),
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: {
        requestId: 'request-1',
        identity: { sourceIp: '192.0.2.7' },
        authorizer: { userName: ARN(who), groups, userId: 'AROAEXAMPLE:jane' },
      },
    });
    if (typeof sent !== 'string') await sent.cancel();
    return statusCode;
  };
  await world.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, binding('editors', user('Editor'), 'edit'));
  await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('viewers', user('Viewer'), 'view'));
});

const records = () => lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit === true);
const only = () => {
  expect(records()).toHaveLength(1);
  return records()[0];
};
const OF_EDITOR = {
  level: 'INFO',
  message: 'audit',
  audit: true,
  principal: ARN('Editor'),
  session: 'jane',
  groups: 'system:authenticated',
  userAgent: 'kubectl/v1.34',
  sourceIp: '192.0.2.7',
  requestId: 'request-1',
};

describe('the audit log has one record of', () => {
  it('a scale', async () => {
    expect(await send('Editor', 'POST', DEPLOYMENTS, deployment)).toBe(201);
    lines = [];
    expect(await send('Editor', 'PATCH', `${DEPLOYMENTS}/workers/scale`, { spec: { replicas: 50 } })).toBe(200);
    expect(only()).toEqual({
      ...OF_EDITOR,
      verb: 'patch',
      group: 'cluster.x-k8s.io',
      resource: 'machinedeployments',
      subresource: 'scale',
      namespace: 'default',
      name: 'workers',
      dryRun: false,
      code: 200,
    });
  });

  it.each([
    ['get', `${CORE}/secrets/one`, { namespace: 'default', name: 'one' }],
    ['list', `${CORE}/secrets`, { namespace: 'default' }],
    ['list', `${CORE}/%73ecrets`, { namespace: 'default' }],
    ['watch', `${CORE}/secrets?watch=true&resourceVersion=1`, { namespace: 'default' }],
    ['list', '/api/v1/secrets', {}],
  ])('a read of Secrets: %s %s', async (verb, path, where) => {
    await world.admin.ask('POST', `${CORE}/secrets`, secret('one'));
    expect(await send('WindlassAdmin', 'GET', path)).toBe(200);
    const { namespace, name } = only();
    expect(only()).toMatchObject({ verb, group: '', resource: 'secrets', code: 200 });
    expect({ namespace, name }).toEqual({ namespace: undefined, name: undefined, ...where });
  });

  it('a refused request of any kind', async () => {
    expect(await send('Nobody', 'GET', CLUSTERS)).toBe(403);
    expect(await send('Nobody', 'GET', '/metrics')).toBe(403);
    expect(await send('Viewer', 'GET', `${CORE}/secrets/one`)).toBe(403);
    expect(await send('Nobody', 'POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {})).toBe(403);
    expect(records()).toMatchObject([
      { principal: ARN('Nobody'), verb: 'list', resource: 'clusters', namespace: 'default', code: 403 },
      { principal: ARN('Nobody'), verb: 'get', path: '/metrics', code: 403 },
      { principal: ARN('Viewer'), verb: 'get', resource: 'secrets', name: 'one', code: 403 },
      { principal: ARN('Nobody'), verb: 'create', resource: 'subjectaccessreviews', code: 403 },
    ]);
  });

  it('a creation, with the name of the object, even if it was refused', async () => {
    const generated = { ...secret(''), metadata: { generateName: 'one-' } };
    expect(await send('Editor', 'POST', `${CORE}/secrets`, generated)).toBe(201);
    expect(only().name).toMatch(/^one-.+/);
    lines = [];
    await send('Editor', 'POST', `${CORE}/secrets`, secret('two'));
    expect(await send('Editor', 'POST', `${CORE}/secrets`, secret('two'))).toBe(409);
    expect(records()).toMatchObject([
      { verb: 'create', name: 'two', code: 201 },
      { verb: 'create', name: 'two', code: 409 },
    ]);
  });

  it('a dry run, marked as one, whether the query or the body requests it', async () => {
    await send('Editor', 'POST', `${CORE}/secrets?dryRun=All`, secret('two'));
    await world.admin.ask('POST', `${CORE}/secrets`, secret('one'));
    await send('Editor', 'DELETE', `${CORE}/secrets/one`, { dryRun: ['All'] });
    await send('Editor', 'DELETE', `${CORE}/secrets/one`);
    expect(records()).toMatchObject([
      { verb: 'create', name: 'two', dryRun: true, code: 201 },
      { verb: 'delete', name: 'one', dryRun: true, code: 200 },
      { verb: 'delete', name: 'one', dryRun: false, code: 200 },
    ]);
  });

  it('an impersonated request, with the real user', async () => {
    const headers = { 'Impersonate-User': ARN('Editor') };
    expect(await send('WindlassAdmin', 'DELETE', `${CORE}/configmaps/one`, undefined, headers)).toBe(404);
    expect(await send('Editor', 'GET', CLUSTERS, undefined, { 'Impersonate-User': 'root' })).toBe(403);
    expect(records()).toMatchObject([
      { principal: ARN('WindlassAdmin'), impersonated: ARN('Editor'), verb: 'delete', code: 404 },
      { principal: ARN('Editor'), impersonated: 'root', verb: 'list', code: 403 },
    ]);
  });
});

describe('the audit log has no record of', () => {
  it.each([
    ['GET', CLUSTERS],
    ['GET', '/apis'],
    ['GET', '/version'],
    ['GET', `${CORE}/configmaps`],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ])('requests that change nothing and show no Secret: %s %s', async (method, path) => {
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const body = method === 'POST' ? { ...review, kind: 'SelfSubjectAccessReview' } : undefined;
    expect(await send('WindlassAdmin', method, path, body)).toBeLessThan(300);
    expect(records()).toEqual([]);
  });
});

it('audit records contain no bodies, queries, tokens or Secrets', async () => {
  await send('Editor', 'POST', `${CORE}/secrets?fieldManager=${CANARY}`, secret('one'));
  await send('Editor', 'PATCH', `${CORE}/secrets/one?fieldManager=${CANARY}`, { data: { password: CANARY } });
  await send('Editor', 'PUT', `${CORE}/secrets/one`, { ...secret('one'), data: CANARY });
  await send('Editor', 'GET', `${CORE}/secrets/one`);
  await send('Editor', 'GET', `${CORE}/secrets?labelSelector=${CANARY}`);
  await send('Nobody', 'POST', `${CORE}/secrets`, secret('one'));
  await send('Editor', 'DELETE', `${CORE}/secrets/one`, { preconditions: { uid: CANARY } });
  expect(records().length).toBe(7);
  expect(lines.join('\n')).not.toContain(CANARY);
});

it('values that a caller chooses add no audit record or field, and cannot make a record arbitrarily long', async () => {
  const headers = { 'User-Agent': `x","code":200}\t{"audit":true,"principal":"root"${'y'.repeat(5000)}` };
  expect(await send('Nobody', 'DELETE', `${CORE}/configmaps/${'a'.repeat(5000)}`, undefined, headers)).toBe(403);
  expect(only()).toMatchObject({ principal: ARN('Nobody'), code: 403 });
  expect(lines[0]?.includes('\n')).toBe(false);
  expect(lines[0]?.length).toBeLessThan(1500);
});
