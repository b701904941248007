/** A cluster with Services over a simulated account: the real step and the real port, and Services in memory. */
import type { V1Node } from '@kubernetes/client-node';
import { balanceServices } from '../../functions/cluster/workload/services/balance-services.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { serviceBalancing, serviceNetwork } from '../../functions/providers/aws/services/create-port.ts';
import { makeBalancerPort } from '../../functions/providers/aws/services/port.ts';
import { toKubeconfigSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { ConflictError } from '../../shared/errors.ts';
import { type Cluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import { createRegistry } from '../../shared/kube-api/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/memory-storage.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createObjectClient } from '../../shared/kube-api/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import type { Service } from '../../shared/plan/services/service.ts';
import { createNodeInstances } from '../../shared/providers/aws/services/instances-api.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/memory-records.ts';
import { withMemory } from '../../shared/store/remembering-client.ts';
import { testClock } from '../../shared/store/test-table.ts';
import type { AnyObject, WorkloadClient } from '../../shared/workload/client.ts';
import { startServiceAccount } from './account.ts';

const KEY = { namespace: 'default', name: 'red' };
const NLB = { 'service.beta.kubernetes.io/aws-load-balancer-type': 'nlb' };

/** A Service of type LoadBalancer with one port, as a kube-apiserver completes it. */
export const aService = (changes: Partial<Service> = {}): Service => ({
  namespace: 'shop',
  name: 'web',
  uid: '11111111-2222-3333-4444-555555555555',
  resourceVersion: '1',
  annotations: NLB,
  finalizers: [],
  isDeleted: false,
  type: 'LoadBalancer',
  loadBalancerIP: '',
  loadBalancerSourceRanges: [],
  sessionAffinity: 'None',
  externalTrafficPolicy: 'Cluster',
  healthCheckNodePort: 0,
  ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 30080 }],
  ingress: [],
  ...changes,
});

const prefixed = (annotations: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`service.beta.kubernetes.io/aws-load-balancer-${key}`, value]),
  );

export const annotated = (annotations: Record<string, string>, changes: Partial<Service> = {}): Service =>
  aService({ ...changes, annotations: { ...NLB, ...prefixed(annotations) } });

/** The same for a classic load balancer. */
export const aClassic = (annotations: Record<string, string> = {}, changes: Partial<Service> = {}): Service =>
  aService({ ...changes, annotations: prefixed(annotations) });

export const nodeOf = (instanceId: string, changes: Partial<V1Node> = {}): V1Node => ({
  metadata: { name: instanceId, labels: {} },
  spec: { providerID: `aws:///us-east-1a/${instanceId}` },
  ...changes,
});

const clusterObject = (annotations: Record<string, string>): KubeObject =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { ...KEY, annotations },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  }) as KubeObject;

const makeClient = (state: { services: Service[]; nodes: V1Node[]; cloudController?: string | undefined }) => {
  const events = new Map<string, AnyObject>();
  let version = 1;
  const change = (service: Service, changes: Partial<Service>): Service => {
    version += 1;
    const changed = { ...service, ...changes, resourceVersion: String(version) };
    state.services = state.services
      .map((one) => (one.uid === service.uid ? changed : one))
      .filter(({ isDeleted, finalizers }) => !isDeleted || finalizers.length > 0);
    return changed;
  };
  const current = ({ uid }: Service) => state.services.find((one) => one.uid === uid);
  const client = {
    nodes: async () => state.nodes,
    cloudController: async () => state.cloudController,
    services: {
      list: async () => [...state.services],
      setFinalizers: async (service, finalizers) => {
        const found = current(service);
        if (found?.resourceVersion !== service.resourceVersion) throw new ConflictError('the Service has changed');
        return change(found, { finalizers });
      },
      setHosts: async (service, ingress) => {
        const found = current(service);
        return found && change(found, { ingress });
      },
    },
    read: async (object) => events.get(object.metadata.name),
    create: async (object) => {
      events.set(object.metadata.name, object);
      return [];
    },
    replace: async (object) => {
      events.set(object.metadata.name, object);
      return object;
    },
    close: async () => {},
  } as Partial<WorkloadClient> as WorkloadClient;
  return { client, events };
};

export const startServiceWorld = async (options: Parameters<typeof startServiceAccount>[0] = {}) => {
  const account = await startServiceAccount(options);
  const { ec2, elb, elbv2, ids } = account;
  const clock = testClock();
  const objects = withMemory(
    createObjectClient(
      createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
    ),
    createMemoryRecords(),
  );
  const put = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(`there is no kind ${object.kind}`);
    return (await objects.ensure(resource, object)).object;
  };
  const cluster = await put(clusterObject({ 'windlass.dev/cloud-controller': 'Services' }));
  await put({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: KEY,
    spec: { region: 'us-east-1', network: { vpc: { id: ids.vpc } } },
  } as KubeObject);
  await put(toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  const state = {
    services: [] as Service[],
    nodes: ids.nodes.map((id) => nodeOf(id)),
    cloudController: undefined as string | undefined,
  };
  const { client, events } = makeClient(state);
  const balancers = makeBalancerPort({
    scopeOf: controllerScopeOf,
    balancing: () => serviceBalancing({ ec2, elb, elbv2 }),
    network: () => serviceNetwork(ec2),
    instances: () => createNodeInstances(ec2),
  });
  const port = { balancers, fatesOf: async () => ({ graceSeconds: 0, fateOf: () => 'unknown' as const }) };
  const deps = { objects, clock, log: silentLog, connect: () => client, work: { touch: async () => undefined } };
  const step = balanceServices({ ...deps, providers: { aws: port } } as unknown as Parameters<
    typeof balanceServices
  >[0]);
  const read = async (): Promise<Cluster | undefined> => objects.get(kinds.cluster, KEY);
  return {
    ...account,
    state,
    /** One pass: what the step calls, as `<service>:<operation>`, without reads. */
    pass: async (): Promise<string[]> => {
      const before = account.test.calls.length;
      await step({ cluster: { ...KEY, uid: cluster.metadata.uid ?? '' } });
      return account.test.calls.slice(before).filter((call) => !call.includes(':Describe'));
    },
    annotate: (annotations: Record<string, string>) =>
      objects.mutate(kinds.cluster, KEY, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations },
      })),
    service: () => state.services[0],
    condition: async () =>
      (await read())?.status?.conditions?.find(({ type }) => type === 'windlass.dev/ServicesBalanced'),
    /** Reason and message of each event, as recorded. */
    events: () => [...events.values()].map(({ reason, message }) => `${reason}: ${message}`),
    infrastructure: () => objects.get(kinds.awsCluster, KEY),
  };
};

export type ServiceWorld = Awaited<ReturnType<typeof startServiceWorld>>;
