/** A tenant's cluster next to the healthy one, in the state in which the controllers have left it, and its editor. */
import { RunInstancesCommand } from '@aws-sdk/client-ec2';
import { createApi } from '../../functions/api/app.ts';
import { quickstart } from '../../functions/cluster/objects/test-world.ts';
import { type AWSCluster, type AWSMachine, KINDS, kinds, type Machine } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { silentLog } from '../../shared/log.ts';
import { SETTLED_ANNOTATION } from '../../shared/providers/aws/plan/drift/settled.ts';
import { instanceTags } from '../../shared/providers/aws/plan/launch/request.ts';
import { toTagList } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { ConvergeInput } from '../../shared/work/payloads.ts';
import type { DriftWorld } from '../drift/drift-world.ts';
import { imageId } from '../drift/machines.ts';
import { CLUSTER, machineObjects, others, rke2 } from './tenants-objects.ts';

export const TENANT = 'mallory';
const EDITOR = { name: 'arn:aws:iam::1:role/Mallory', groups: ['system:authenticated'] };
const ADMIN = { name: 'arn:aws:iam::1:role/Admin', groups: ['system:masters', 'system:authenticated'] };

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  accept?: string,
) => Promise<{ code: number; text: string }>;

/** The management API for the world's objects. */
export const apiOf = ({ storage, records, clock }: DriftWorld) => {
  const api = createApi({
    ...{
      kinds: KINDS,
      storage,
      records,
      owners: createMemoryOwnerIndex(),
      touch: async () => {},
      clock,
      random: systemRandom,
    },
    ...{ pledges: createMemoryPledges({ clock }), log: silentLog },
  });
  const as =
    (user: typeof EDITOR): Ask =>
    async (method, path, body, accept = 'application/json') => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const request = new Request(`https://api${path}`, {
        method,
        headers: { 'content-type': type, accept },
        ...content,
      });
      const answer = await api(request, user);
      return { code: answer.status, text: await answer.text() };
    };
  return { editor: as(EDITOR), admin: as(ADMIN) };
};

export const pathOf = (
  { group, version, plural }: Pick<ResourceDefinition, 'group' | 'version' | 'plural'>,
  namespace?: string,
): string => `${group ? `/apis/${group}` : '/api'}/${version}${namespace ? `/namespaces/${namespace}` : ''}/${plural}`;

const runInstance = async (
  { client, clock, objects }: DriftWorld,
  { subnet, image }: { subnet: string | undefined; image: string | undefined },
  name: string,
): Promise<string> => {
  const key = { namespace: TENANT, name };
  const cluster = { namespace: TENANT, name: CLUSTER };
  const [machine, infrastructure, awsCluster] = await Promise.all([
    objects.get<Machine>(kinds.machine, key),
    objects.get<AWSMachine>(kinds.awsMachine, key),
    objects.get<AWSCluster>(kinds.awsCluster, cluster),
  ]);
  if (!machine || !infrastructure || !awsCluster) throw new Error(`machine ${name} was not made`);
  const Tags = toTagList(instanceTags({ cluster, machine, infrastructure, awsCluster }));
  const { Instances = [] } = await client.send(
    new RunInstancesCommand({
      ...{ ImageId: image, InstanceType: 't3.large', MinCount: 1, MaxCount: 1, SubnetId: subnet },
      TagSpecifications: [{ ResourceType: 'instance', Tags }],
    }),
  );
  clock.advance(5);
  return Instances[0]?.InstanceId ?? '';
};

/** Writes the controllers' results: a network that was complete, and running machines. */
const asMade = async (world: DriftWorld, names: readonly string[]): Promise<string[]> => {
  const { objects, clock } = world;
  const subnet = (await world.awsCluster()).spec.network?.subnets?.[0]?.resourceID;
  await objects.mutate<AWSCluster>(kinds.awsCluster, { namespace: TENANT, name: CLUSTER }, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      annotations: { [SETTLED_ANNOTATION]: 'vpc=1,network=1,securityGroups=1,natGateways=1,loadBalancer=1,targets=1' },
    },
    spec: {
      ...current.spec,
      network: { ...current.spec.network, vpc: { ...current.spec.network?.vpc, id: 'vpc-0123456789abcdef0' } },
    },
    status: { ...current.status, ready: true } as AWSCluster['status'],
  }));
  const image = await imageId(world.client);
  const ids: string[] = [];
  for (const name of names) {
    const id = await runInstance(world, { subnet, image }, name);
    ids.push(id);
    const providerID = `aws:///us-east-1a/${id}`;
    await objects.mutate<AWSMachine>(kinds.awsMachine, { namespace: TENANT, name }, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid: 'x' }],
      },
      spec: { ...current.spec, instanceID: id, providerID },
      status: { ...current.status, ready: true, instanceState: 'running' } as AWSMachine['status'],
    }));
    await objects.mutate<Machine>(kinds.machine, { namespace: TENANT, name }, (current) => ({
      ...current,
      spec: { ...current.spec, providerID },
      status: { ...current.status, nodeRef: { name } } as Machine['status'],
    }));
    const uid = (await objects.get(kinds.machine, { namespace: TENANT, name }))?.metadata.uid ?? '';
    await objects.mutate<AWSMachine>(kinds.awsMachine, { namespace: TENANT, name }, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name, uid }],
      },
    }));
  }
  clock.advance(600);
  return ids;
};

export interface Mallory {
  /** Ids of the instances. */
  instances: string[];
  input: ConvergeInput;
  /** Every object of the tenant, with its kind. */
  objects: { resource: ResourceDefinition; name: string }[];
}

const expectCode = (what: string, { code, text }: { code: number; text: string }): void => {
  if (code >= 300) throw new Error(`${what}: ${code} ${text}`);
};

/** Creates the namespace, its editor and the editor's cluster, which is healthy at first. */
export const addMallory = async (world: DriftWorld, { editor, admin }: ReturnType<typeof apiOf>): Promise<Mallory> => {
  expectCode(
    'namespace',
    await admin('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TENANT } }),
  );
  const rbac = 'rbac.authorization.k8s.io';
  expectCode(
    'binding',
    await admin('POST', `/apis/${rbac}/v1/namespaces/${TENANT}/rolebindings`, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'editor' },
      subjects: [{ kind: 'User', apiGroup: rbac, name: EDITOR.name }],
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'edit' },
    }),
  );
  const machines = ['m-0', 'm-1', 'm-2'];
  const all = [...(await quickstart()), ...machines.flatMap(machineObjects), ...others(TENANT), ...(await rke2())];
  const made: Mallory['objects'] = [];
  for (const object of all) {
    const resource = KINDS.find(({ kind }) => kind === object.kind) as ResourceDefinition;
    const body = { ...object, metadata: { ...object.metadata, namespace: TENANT } };
    expectCode(object.kind, await editor('POST', pathOf(resource, TENANT), body));
    made.push({ resource, name: object.metadata.name });
  }
  const instances = await asMade(world, machines);
  const uid = (await world.objects.get(kinds.cluster, { namespace: TENANT, name: CLUSTER }))?.metadata.uid ?? '';
  const cluster = { namespace: TENANT, name: CLUSTER, uid };
  return { instances, objects: made, input: { cluster, wanted: 1, holder: `${uid}-1` } };
};
