/** Two tenants of one installation in one simulated account, with the real API and the real steps. */
import { setImmediate } from 'node:timers/promises';
import {
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type Instance,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { createApi } from '../../functions/api/app.ts';
import { ARN, binding, RBAC, user } from '../../functions/api/test-api.ts';
import { createAccount } from '../../infra/local/account.ts';
import { type SimulatedAws, startAws } from '../../infra/local/aws.ts';
import { createDataPlane } from '../../infra/local/engines/elbv2/data-plane.ts';
import { directTo } from '../../infra/local/engines/wire/direct.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import { type Tags, toTagList } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { ConvergeInput } from '../../shared/work/payloads.ts';
import { makeVirtualClock, worldOver } from '../cluster-infrastructure/world.ts';

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

const MASTERS = ['system:masters', 'system:authenticated'];

const resourceOf = ({ kind }: KubeObject) => {
  const resource = KINDS.find((one) => one.kind === kind);
  if (!resource) throw new Error(`there is no kind ${kind}`);
  return resource;
};

const pathOf = (object: KubeObject, withName: boolean): string => {
  const { apiVersion, metadata } = object;
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const name = withName ? `/${metadata.name}` : '';
  return `${root}/${apiVersion}/namespaces/${metadata.namespace}/${resourceOf(object).plural}${name}`;
};

const makeClients = ({ url: endpoint, server }: SimulatedAws) => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const options = {
    endpoint,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
    requestHandler: directTo(server, setImmediate),
  };
  return {
    ec2: new EC2Client(options),
    elb: new ElasticLoadBalancingClient(options),
    elbv2: new ElasticLoadBalancingV2Client(options),
  };
};

/** The management API with a storage, and a user who is bound to the role `edit` in one namespace. */
const makeTenantApi = async (dependencies: Parameters<typeof createApi>[0], namespace: string) => {
  const api = createApi(dependencies);
  const asUser =
    (who: { name: string; groups: string[] }) =>
    async (method: string, path: string, body?: object): Promise<{ code: number; body: unknown }> => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const request = new Request(`https://api${path}`, { method, headers: { 'content-type': type }, ...content });
      const response = await api(request, who);
      return { code: response.status, body: await response.json() };
    };
  const admin = asUser({ name: ARN('admin'), groups: MASTERS });
  await admin('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const role = binding('editor', user('mallory'), 'edit');
  await admin('POST', `${RBAC}/namespaces/${namespace}/rolebindings`, role);
  return asUser({ name: ARN('mallory'), groups: ['system:authenticated'] });
};

/** `evil` is the namespace of the hostile editor; all other namespaces belong to other tenants. */
export const startInstallation = async (evil = 'evil') => {
  const clock = makeVirtualClock();
  const account = createAccount({ clock, random: systemRandom });
  const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
  const clients = makeClients(aws);
  const storage = createMemoryStorage();
  const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom });
  const [stored, records] = [createObjectClient(registry), createMemoryRecords()];
  const objects = withMemory(stored, records);
  const editor = await makeTenantApi(
    {
      ...{ kinds: KINDS, storage, records, owners: createMemoryOwnerIndex(), touch: async () => {} },
      ...{ clock, random: systemRandom, log: silentLog, pledges: createMemoryPledges({ clock }) },
    },
    evil,
  );

  /**
   * Writes an object as the editor. If the API refuses it, the object is written without the API: the table may contain
   * objects from an earlier version, and ownership must not depend on the API alone. Returns the uid.
   */
  const plant = async (object: KubeObject): Promise<string> => {
    const { code, body } = await editor('POST', pathOf(object, false), object);
    if (code === 201) return (body as KubeObject).metadata.uid ?? '';
    if (code !== 403 && code !== 422) throw new Error(`${object.kind}: ${code} ${JSON.stringify(body)}`);
    return (await stored.ensure(resourceOf(object), object)).object.metadata.uid ?? '';
  };
  const patch = async (object: KubeObject, change: object): Promise<void> => {
    const { code, body } = await editor('PATCH', pathOf(object, true), change);
    if (code !== 200) throw new Error(`${object.kind}: ${code} ${JSON.stringify(body)}`);
  };
  const remove = (object: KubeObject) => editor('DELETE', pathOf(object, true));

  const instances = async (): Promise<Instance[]> => {
    const { Reservations = [] } = await clients.ec2.send(new DescribeInstancesCommand({}));
    return Reservations.flatMap(({ Instances = [] }) => Instances);
  };
  const ami = async (): Promise<{ id: string }> => {
    const { Images = [] } = await clients.ec2.send(new DescribeImagesCommand({ Owners: ['819546954734'] }));
    return { id: Images.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId ?? '' };
  };
  const subnetId = async (): Promise<string> => {
    const { Subnets = [] } = await clients.ec2.send(new DescribeSubnetsCommand({}));
    return Subnets[0]?.SubnetId ?? '';
  };
  const groupId = async (): Promise<string> => {
    const { SecurityGroups = [] } = await clients.ec2.send(new DescribeSecurityGroupsCommand({}));
    return SecurityGroups[0]?.GroupId ?? '';
  };
  /** Starts an instance like another program, by default in the account's default VPC. */
  const run = async (tags: Tags, ClientToken?: string, SubnetId?: string): Promise<string> => {
    const { Instances = [] } = await clients.ec2.send(
      new RunInstancesCommand({
        ...{ MinCount: 1, MaxCount: 1, ClientToken, InstanceType: 't3.large' },
        ImageId: (await ami()).id,
        SubnetId: SubnetId ?? (await subnetId()),
        TagSpecifications: [{ ResourceType: 'instance', Tags: toTagList(tags) }],
      }),
    );
    clock.advance(120);
    return Instances[0]?.InstanceId ?? '';
  };
  /** The dependencies of the infrastructure steps of one cluster. */
  const views = { storage, objects, stored, records, tenant: createObjectClient(registry, 'kubectl') };
  const worldOf = (input: ConvergeInput) => worldOver({ account, clock, ...views, input }, aws);
  const close = async () => {
    for (const client of Object.values(clients)) client.destroy();
    await aws.close();
  };
  const reach = { account, endpoint: aws.url, clock, clients, objects, evil, close };
  return { ...reach, editor, plant, patch, remove, instances, ami, subnetId, groupId, run, worldOf };
};
