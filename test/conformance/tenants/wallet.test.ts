import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeToken } from '../../../infra/cli/kubeconfig/token.ts';
import { CORE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

/** Tests the gateway and the deployed functions: calls are recorded, and the number of open watches is limited. */

const MAPS = '/api/v1/namespaces/default/configmaps';
/** The default of the setting `watchesPerPrincipal`. */
const LIMIT = 40;

let laptop: TestLaptop;
let open: ClientRequest[];

beforeAll(async () => {
  laptop = await startTestLaptop();
  open = [];
});
afterAll(async () => {
  for (const each of open) each.destroy();
  await laptop?.stop();
});

/** Sends a request and resolves to the response as soon as it begins. The connection stays open. */
const begin = async (method: string, path: string, more: Record<string, string> = {}): Promise<IncomingMessage> => {
  const { token } = await makeToken(laptop.access, new Date());
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', ...more };
  return new Promise((resolve, reject) => {
    const { caPem: ca, server } = laptop.access;
    const sent = request(`${server}${path}`, { method, headers, ca, agent: false }, resolve);
    sent.on('error', reject);
    sent.end();
    open.push(sent);
  });
};
const audited = () =>
  laptop.logs
    .filter((line) => line.includes('"audit":true'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>);

it('a scale, a read of a Secret and a refused request are recorded', async () => {
  await laptop.applyFile('examples/quickstart.yaml', (object) =>
    object.kind === 'Cluster'
      ? ({ ...object, spec: { ...(object as { spec?: object }).spec, paused: true } } as never)
      : object,
  );
  const deployment = `${CORE}/machinedeployments/quickstart-md-0`;
  await laptop.api.send('PATCH', `${deployment}/scale`, { spec: { replicas: 4 } }, 'application/merge-patch+json');
  await laptop.api.send('GET', '/api/v1/namespaces/default/secrets?limit=1');
  const refused = await begin('DELETE', `${CORE}/clusters/quickstart`, { 'impersonate-user': 'someone' });
  expect(refused.statusCode).toBe(403);
  const records = await laptop.until('three records', async () => {
    const found = audited().filter(
      ({ subresource, resource, code }) => subresource === 'scale' || resource === 'secrets' || code === 403,
    );
    return found.length >= 3 && found;
  });
  const principal = expect.stringMatching(/^arn:aws:iam::\d{12}:/);
  expect(records).toMatchObject([
    {
      principal,
      verb: 'patch',
      resource: 'machinedeployments',
      name: 'quickstart-md-0',
      code: 200,
      sourceIp: '127.0.0.1',
    },
    { principal, verb: 'list', resource: 'secrets', namespace: 'default', code: 200 },
    { principal, impersonated: 'someone', verb: 'delete', resource: 'clusters', name: 'quickstart', code: 403 },
  ]);
});

it('a principal has a limited number of watches, and may open another when one has ended', async () => {
  const watches = await Promise.all(Array.from({ length: LIMIT + 5 }, () => begin('GET', `${MAPS}?watch=true`)));
  const refused = watches.filter(({ statusCode }) => statusCode === 429);
  expect(watches.filter(({ statusCode }) => statusCode === 200)).toHaveLength(LIMIT);
  expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(Array(5).fill('10'));
  watches.find(({ statusCode }) => statusCode === 200)?.destroy();
  await laptop.until('another watch', async () => (await begin('GET', `${MAPS}?watch=true`)).statusCode === 200);
});
