/** Some minutes in an installation, and the effects on the healthy cluster. */
import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteTagsCommand,
  DescribeInstancesCommand,
  type EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { resultOf, type SweepResult, sweep } from '../../functions/drift/sweep.ts';
import { handleEvent } from '../../functions/events/handle.ts';
import { healthEvent, stateEvent } from '../../functions/events/test-account.ts';
import { allOwners } from '../../functions/events/test-owners.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeEventPort } from '../../functions/providers/aws/events/port.ts';
import { observeAccount } from '../../infra/cli/adopt/observe.ts';
import { planAdoption } from '../../infra/cli/adopt/plan.ts';
import { KINDS, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { servedResources } from '../../shared/kube-api/versions/served.ts';
import { jsonLog } from '../../shared/log.ts';
import { createEc2Fleet } from '../../shared/providers/aws/api/ec2-fleet.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { NO_PASSES } from '../../shared/store/work/no-work.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { KEY, NAMESPACE } from '../cluster-infrastructure/world.ts';
import type { DriftWorld } from '../drift/drift-world.ts';
import { type apiOf, pathOf } from './mallory.ts';

/** Values that differ in every world: ids, times, versions, hashes. */
const normal = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"N"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    // Random texts contain letters only sometimes, so the general rule does not recognize them.
    .replace(/TIME\.[0-9a-f]{8}(?![0-9a-z])/g, 'TIME.HASH')
    .replace(/apiserver-target-[a-z0-9]{5}/g, 'apiserver-target-HASH')
    .replace(/(?<![0-9a-z])(?=[a-z]*\d)[0-9a-z]{5,64}(?![0-9a-z])/g, 'HASH')
    .replace(/127\.\d+\.\d+\.\d+|(?<=:)\d{4,5}\b/g, 'ADDRESS');

/** Damages the healthy cluster: the sweep, an event and a pass must notice it. */
const disturb = async (world: DriftWorld): Promise<void> => {
  const { client, controlPlane } = world;
  await client.send(new DeleteTagsCommand({ Resources: [controlPlane], Tags: [{ Key: 'MachineName' }] }));
  const group = (await world.awsCluster()).status?.networkStatus?.securityGroups?.node?.id;
  const IpPermissions = [{ IpProtocol: 'tcp', FromPort: 1, ToPort: 1, IpRanges: [{ CidrIp: '9.9.9.9/32' }] }];
  await client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: group, IpPermissions }));
};

const objectsOf = async ({ objects }: DriftWorld) =>
  (await Promise.all(KINDS.map((kind) => objects.list(kind, NAMESPACE)))).flat();

/** The complete state of the healthy cluster; of events, only which and how often. */
const stateOf = async (world: DriftWorld): Promise<string[]> => {
  const all = await objectsOf(world);
  return all
    .map((object) =>
      normal(
        JSON.stringify({
          ...object,
          metadata: { ...object.metadata, name: normal(object.metadata.name), managedFields: [] },
        }),
      ),
    )
    .sort();
};

const STEPS = ['network', 'natGateways', 'loadBalancer', 'workers', 'probe'] as const;

/** The clients' view of it: lists of all namespaces in all versions, as JSON and as tables. */
const seenByClients = async ({ admin }: ReturnType<typeof apiOf>): Promise<string[]> => {
  const seen: string[] = [];
  for (const resource of servedResources(KINDS)) {
    if (resource.kind === 'Namespace' || resource.group.startsWith('rbac')) continue;
    const path = pathOf(resource);
    for (const accept of ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
      const { code, text } = await admin('GET', path, undefined, accept);
      if (code !== 200) throw new Error(`GET ${path} (${accept}): ${code} ${text}`);
      const { items, rows } = JSON.parse(text) as { items?: KubeObject[]; rows?: { object: KubeObject }[] };
      const all = items ?? rows?.map(({ object }) => object) ?? [];
      const own = all.filter(({ metadata }) => metadata.namespace === NAMESPACE);
      if (resource.kind !== 'Event') seen.push(`${path} ${own.length} ${code}`);
    }
  }
  return seen;
};

const preview = async ({ admin }: ReturnType<typeof apiOf>): Promise<string> => {
  const path = `${pathOf(kinds.kubeadmControlPlane, NAMESPACE)}/${KEY.name}?dryRun=All`;
  const { code, text } = await admin('PATCH', path, { spec: { replicas: 3 } });
  return normal(`${code} ${code === 200 ? '' : text}`);
};

/** The result of an adoption if the table were lost, although the tenant's cluster has the same name. */
const adoption = async ({ clients }: DriftWorld): Promise<string> => {
  const sources = { ec2: clients.ec2, elb: clients.elbv2, classicElb: clients.elb };
  const account = await observeAccount(sources, { name: KEY.name, namespace: NAMESPACE, region: 'us-east-1' });
  return normal(JSON.stringify(planAdoption({ ...account, nodes: [], silent: 'not asked', pairs: {} }, [])));
};

/** The volumes of these instances. */
const volumesOf = async (client: EC2Client, instances: readonly string[]): Promise<string[]> => {
  const { Reservations = [] } = await client.send(new DescribeInstancesCommand({ InstanceIds: [...instances] }));
  return Reservations.flatMap(({ Instances = [] }) => Instances)
    .flatMap(({ BlockDeviceMappings = [] }) => BlockDeviceMappings)
    .flatMap(({ Ebs }) => Ebs?.VolumeId ?? []);
};

export interface Life {
  /** The effects on the healthy cluster. */
  healthy: string[];
  sweeps: SweepResult[];
  /** The errors in the functions' log. */
  errors: string[];
}

/** `strangers`: instances of the other cluster, which events name before those of the healthy one. */
export const live = async (
  world: DriftWorld,
  api: ReturnType<typeof apiOf>,
  strangers: readonly string[],
  tenantPass: () => Promise<unknown>,
): Promise<Life> => {
  const { objects, clock, client, requests, worker } = world;
  const touched: ClusterRef[] = [];
  const errors: string[] = [];
  const log = jsonLog((line) => {
    if (line.startsWith('{"level":"ERROR"')) errors.push(line);
  });
  const touch = async (cluster: ClusterRef) => void touched.push(cluster);
  const sweeps: SweepResult[] = [];
  const own: unknown[] = [];
  const tenants = [...strangers, ...(await volumesOf(client, strangers))];
  /** Changes to the account, except for resources that belong only to the tenant. */
  const changes = (): string[] =>
    requests
      .splice(0)
      .filter(({ input }) => !tenants.some((id) => JSON.stringify(input).includes(id)))
      .map(({ operation, input }) => normal(`${operation} ${JSON.stringify(input)}`))
      .sort();
  const noticed = (what: string): void => {
    const names = touched.splice(0).filter(({ namespace }) => namespace === NAMESPACE);
    own.push([what, changes(), names.map(({ name }) => name)]);
  };
  const sweepOnce = async (what: string) => {
    clock.advance(300);
    sweeps.push(resultOf(await sweep({ ...world.sweepDependencies(log), touch, log })));
    noticed(what);
  };
  const port = { objects, clock, scopeOf: controllerScopeOf, fleet: () => createEc2Fleet(client) };
  const tell = async (what: string, event: unknown) => {
    await handleEvent(
      {
        ...{ objects, clock, log, touch, providers: { aws: makeEventPort(port) } },
        ...{ pledges: createMemoryPledges({ clock }), work: NO_PASSES },
        findByGroup: async () => [],
        findOwners: allOwners(objects),
        findByInstance: async (id) =>
          (await objects.list(kinds.awsMachine))
            .filter(({ spec }) => spec.instanceID === id)
            .map(({ metadata: { namespace = '', name } }) => ({ namespace, name })),
      },
      event,
    );
    noticed(what);
  };

  await sweepOnce('quiet');
  await disturb(world);
  requests.length = 0;
  await sweepOnce('disturbed');
  await tell('maintenance', healthEvent([...strangers, worker]));
  for (const id of strangers) await tell('stranger', stateEvent(id, 'terminated'));
  await client.send(new TerminateInstancesCommand({ InstanceIds: [worker] }));
  requests.length = 0;
  await tell('terminated', stateEvent(worker, 'terminated'));
  for (const step of STEPS) await world.pass(step);
  noticed('pass');
  // The effects of the tenant's pass on the tenant's own resources are not compared.
  await tenantPass();
  requests.length = 0;
  await sweepOnce('afterwards');
  const clients = await seenByClients(api);
  const plans = [await preview(api), await adoption(world)];
  return {
    healthy: [...own.map((one) => JSON.stringify(one)), ...clients, ...plans, ...(await stateOf(world))],
    sweeps,
    errors,
  };
};
