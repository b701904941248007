/** Services of one kube-apiserver, served by AWS's cloud controller manager in one account and by Windlass in another. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import type { Service } from '../../../shared/plan/services/service.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { servicesApi } from '../../../shared/workload/services-api.ts';
import { startServiceAccount } from '../../services/account.ts';
import { lookAtBalancers } from '../../services/look.ts';
import { nodeOf, startServiceWorld } from '../../services/world.ts';
import { manifestOf, SERVICES } from './services.ts';
import { SERVICES_DUTY, startUpstream, type Upstream } from './upstream.ts';

type Account = Awaited<ReturnType<typeof startServiceAccount>>;

let upstream: Upstream;
let theirs: Account;
let ours: Awaited<ReturnType<typeof startServiceWorld>>;
beforeAll(async () => {
  [upstream, theirs, ours] = await Promise.all([startUpstream(), startServiceAccount(), startServiceWorld()]);
}, LIMIT);
afterAll(async () => {
  await upstream?.stop();
  await theirs?.close();
  await ours?.close();
});

const EXCLUDED = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };

/** A node of each pool, one of the control plane, and one that names an instance that there is not. */
const nodesOf = ({ ids: { nodes } }: Pick<Account, 'ids'>) => [
  nodeOf(nodes[0] ?? '', { metadata: { name: 'a', labels: { pool: 'a' } } }),
  nodeOf(nodes[1] ?? '', { metadata: { name: 'b', labels: { pool: 'b' } } }),
  nodeOf('i-0123456789abcdef0', { metadata: { name: 'gone', labels: {} } }),
  nodeOf(nodes[0] ?? '', { metadata: { name: 'excluded', labels: EXCLUDED } }),
];

/** Names and tags as both could have them: without the hash, and without our own tags. */
const comparable = async ({ elbv2, rules, ids }: Pick<Account, 'elbv2' | 'rules' | 'ids'>) => {
  const { balancers, groups } = await lookAtBalancers(elbv2);
  const stem = (name = '') => name.replace(/-[0-9a-f]{10}$/, '');
  const isTheirs = ([key]: [string, string]) => !/^(windlass\.dev|sigs\.k8s\.io)\//.test(key);
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    balancers: balancers
      .map(({ dnsName: _, tags, listeners, subnets, ...one }) => ({
        ...one,
        subnets: subnets.toSorted(),
        tags: Object.fromEntries(Object.entries(tags).filter(isTheirs).sort()),
        listeners: listeners.map((listener) => ({ ...listener, group: stem(listener.group) })).sort(byText),
      }))
      .sort(byText),
    groups: groups.map(({ arn: _, ...group }) => ({ ...group, name: stem(group.name) })).sort(byText),
    rules: await rules(ids.nodesGroup),
  };
};

const readServices = (): Promise<Service[]> =>
  servicesApi(async ({ path }) => ({ code: 200, text: JSON.stringify(await upstream.api.send('GET', path)) })).list();

/** Until nothing changes any more: the program says nowhere that it has done everything. */
const untilQuiet = async (): Promise<void> => {
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  let before = '';
  for (let quiet = 0; quiet < 4; ) {
    if (systemClock.now().getTime() > deadline) throw new Error(`no rest:\n${upstream.lastWords()}`);
    await systemClock.sleep(1000);
    const now = JSON.stringify(await comparable(theirs));
    const isAtWork = now !== before || !now.includes('"listeners":[{');
    quiet = isAtWork ? 0 : quiet + 1;
    before = now;
  }
};

// One story, told in order: each test goes on where the one before it ended.
it('leaves what the cloud controller manager leaves, for the same Services and nodes', { timeout: LIMIT }, async () => {
  for (const node of nodesOf(theirs))
    await upstream.api.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', ...node });
  for (const [name, wished] of Object.entries(SERVICES)) {
    await upstream.api.send('POST', '/api/v1/namespaces/default/services', manifestOf(name, wished));
  }
  const { vpc: vpcId, privateA: subnetId } = theirs.ids;
  const { endpoint, credentials } = theirs.test.client;
  await upstream.startController({ endpoint, credentials, vpcId, subnetId, duty: SERVICES_DUTY });
  await untilQuiet();

  ours.state.nodes = nodesOf(ours);
  ours.state.services = (await readServices()).map((service) => ({ ...service, finalizers: [], ingress: [] }));
  await ours.pass();

  expect(ours.ids).toEqual(theirs.ids);
  expect(await comparable(ours)).toEqual(await comparable(theirs));
});

it('leaves nothing of Services that are deleted, as the cloud controller manager', { timeout: LIMIT }, async () => {
  for (const name of Object.keys(SERVICES)) {
    await upstream.api.send('DELETE', `/api/v1/namespaces/default/services/${name}`);
  }
  const isOver = async () => (await readServices()).every(({ name }) => !(name in SERVICES));
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  while (!(await isOver())) {
    if (systemClock.now().getTime() > deadline) throw new Error(`Services are left:\n${upstream.lastWords()}`);
    await systemClock.sleep(500);
  }
  ours.state.services = ours.state.services.map((service) => ({ ...service, isDeleted: true }));
  await ours.pass();

  expect(await comparable(theirs)).toMatchObject({ balancers: [], groups: [] });
  expect(await comparable(ours)).toEqual(await comparable(theirs));
});
