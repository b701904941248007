/**
 * Compares the load balancers of the same Services: AWS's cloud controller manager maintains them in one account, and
 * Windlass in another.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { isRead, type Service } from '../../../shared/plan/services/service.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { servicesApi } from '../../../shared/workload/services-api.ts';
import { startServiceAccount } from '../../services/account.ts';
import { lookAtBalancers } from '../../services/look.ts';
import { lookAtClassics } from '../../services/look-classic.ts';
import { nodeOf, startServiceWorld } from '../../services/world.ts';
import { manifestOf, servicesWith } from './services.ts';
import { SERVICES_DUTY, startUpstream, type Upstream } from './upstream.ts';

type Account = Awaited<ReturnType<typeof startServiceAccount>>;

let upstream: Upstream;
let theirs: Account;
let ours: Awaited<ReturnType<typeof startServiceWorld>>;
beforeAll(async () => {
  // Network interfaces are released immediately, because a delay would only change how often a program retries.
  const options = { workers: INSTANCES, loadBalancerReleaseMilliseconds: 0 };
  [upstream, theirs, ours] = await Promise.all([
    startUpstream(),
    startServiceAccount(options),
    startServiceWorld(options),
  ]);
}, LIMIT);
afterAll(async () => {
  await upstream?.stop();
  await theirs?.close();
  await ours?.close();
});

const EXCLUDED = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };

const INSTANCES = 17;
const REMOVED = { key: 'ToBeDeletedByClusterAutoscaler', value: '1', effect: 'NoSchedule' };

/**
 * Twenty nodes: two pools of workers, one control plane node, one node that the autoscaler removes, and three whose
 * provider ID names no instance of the account.
 */
const nodesOf = ({ ids: { nodes } }: Pick<Account, 'ids'>) => {
  const [control = '', removed = '', ...workers] = nodes;
  const going = nodeOf(removed);
  return [
    ...workers.map((id, index) =>
      nodeOf(id, { metadata: { name: `worker-${index}`, labels: { pool: index % 2 === 0 ? 'a' : 'b' } } }),
    ),
    nodeOf(control, { metadata: { name: 'excluded', labels: EXCLUDED } }),
    { ...going, metadata: { name: 'removed', labels: { pool: 'a' } }, spec: { ...going.spec, taints: [REMOVED] } },
    nodeOf('i-0123456789abcdef0', { metadata: { name: 'gone', labels: {} } }),
    { metadata: { name: 'unknown', labels: { pool: 'a' } }, spec: {} },
    { metadata: { name: 'strange', labels: {} }, spec: { providerID: 'other://one' } },
  ];
};

/** The resources in a form that can be compared: without the hashes in names, and without Windlass's own tags. */
const comparable = async ({
  ec2,
  elb,
  elbv2,
  rules,
  ids,
}: Pick<Account, 'ec2' | 'elb' | 'elbv2' | 'rules' | 'ids'>) => {
  const { classics, groups: securityGroups } = await lookAtClassics(elb, ec2);
  const { balancers, groups } = await lookAtBalancers(elbv2);
  const stem = (name = '') => name.replace(/-[0-9a-f]{10}$/, '');
  const isTheirs = ([key]: [string, string]) => !/^(windlass\.dev|sigs\.k8s\.io)\//.test(key);
  const tagsOf = (tags: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(tags).filter(isTheirs).sort());
  // Upstream does not tag security groups with the Service.
  const groupTags = ({ 'kubernetes.io/service-name': _, ...tags }: Readonly<Record<string, string>>) => tagsOf(tags);
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    balancers: balancers
      .map(({ dnsName: _, tags, listeners, subnets, ...one }) => ({
        ...one,
        subnets: subnets.toSorted(),
        tags: tagsOf(tags),
        listeners: listeners.map((listener) => ({ ...listener, group: stem(listener.group) })).sort(byText),
      }))
      .sort(byText),
    groups: groups.map(({ arn: _, ...group }) => ({ ...group, name: stem(group.name) })).sort(byText),
    classics: classics.map(({ dnsName: _, tags, ...one }) => ({ ...one, tags: tagsOf(tags) })).sort(byText),
    securityGroups: securityGroups
      .map(({ id: _, tags, ...group }) => ({ ...group, tags: groupTags(tags) }))
      .sort(byText),
    // Without upstream's rules for classic load balancers, which have no description and are part of the security
    // groups.
    rules: (await rules(ids.nodesGroup)).filter((rule) => !rule.startsWith('-1 ')),
  };
};

const readServices = async (): Promise<Service[]> => {
  const api = servicesApi(async ({ path }) => ({
    code: 200,
    text: JSON.stringify(await upstream.api.send('GET', path)),
  }));
  return (await api.list()).filter(isRead);
};

/** Waits until nothing changes any more, because the cloud controller manager does not report when it has finished. */
const untilQuiet = async (): Promise<void> => {
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  let before = '';
  for (let quiet = 0; quiet < 4; ) {
    if (systemClock.now().getTime() > deadline) throw new Error(`no rest:\n${upstream.lastWords()}`);
    await systemClock.sleep(1000);
    const now = JSON.stringify(await comparable(theirs));
    const isAtWork = now !== before || !now.includes('"listeners":[{') || !now.includes('"instances":["');
    quiet = isAtWork ? 0 : quiet + 1;
    before = now;
  }
};

// The tests run in order: each continues where the previous one ended.
it('the result equals the cloud controller manager’s for the same Services and nodes', { timeout: LIMIT }, async () => {
  for (const node of nodesOf(theirs))
    await upstream.api.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', ...node });
  for (const [name, wished] of Object.entries(servicesWith(theirs.ids))) {
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
  const made = await comparable(theirs);
  // All load balancers of each type, except those that both programs refuse or leave to another controller.
  expect([made.balancers.length, made.classics.length]).toEqual([19, 19]);
  expect(await comparable(ours)).toEqual(made);
});

it('nothing is left of deleted Services, as with the cloud controller manager', { timeout: LIMIT }, async () => {
  const names = Object.keys(servicesWith(theirs.ids));
  for (const name of names) {
    await upstream.api.send('DELETE', `/api/v1/namespaces/default/services/${name}`);
  }
  const isOver = async () => (await readServices()).every(({ name }) => !names.includes(name));
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  while (!(await isOver())) {
    if (systemClock.now().getTime() > deadline) throw new Error(`Services are left:\n${upstream.lastWords()}`);
    await systemClock.sleep(500);
  }
  ours.state.services = ours.state.services.map((service) => ({ ...service, isDeleted: true }));
  await ours.pass();

  expect(await comparable(theirs)).toMatchObject({ balancers: [], groups: [], classics: [] });
  expect(await comparable(ours)).toEqual(await comparable(theirs));
});
