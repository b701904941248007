/** A cluster with Services in a simulated account: the real step and the real port, and Services in memory. */
import type { V1Node } from '@kubernetes/client-node';
import { balanceServices } from '../../functions/cluster/workload/services/balance-services.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { serviceBalancing, serviceNetwork } from '../../functions/providers/aws/services/create-port.ts';
import { makeBalancerPort } from '../../functions/providers/aws/services/port.ts';
import type { BalancerPort } from '../../functions/providers/ports.ts';
import { ConflictError } from '../../shared/errors.ts';
import { silentLog } from '../../shared/log.ts';
import type { Service, UnreadService } from '../../shared/plan/services/service.ts';
import { createNodeInstances } from '../../shared/providers/aws/services/instances-api.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { startServiceAccount } from './account.ts';
import { makeEvents, startClusterObjects } from './cluster-objects.ts';

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

/** Such a Service for a classic load balancer. */
export const aClassic = (annotations: Record<string, string> = {}, changes: Partial<Service> = {}): Service =>
  aService({ ...changes, annotations: prefixed(annotations) });

export const nodeOf = (instanceId: string, changes: Partial<V1Node> = {}): V1Node => ({
  metadata: { name: instanceId, labels: {} },
  spec: { providerID: `aws:///us-east-1a/${instanceId}` },
  ...changes,
});

const makeClient = (state: {
  services: Service[];
  unread: UnreadService[];
  nodes: V1Node[];
  cloudController?: string | undefined;
}) => {
  const events = makeEvents();
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
      list: async () => [...state.services, ...state.unread],
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
    ...events.api,
    close: async () => {},
  } as Partial<WorkloadClient> as WorkloadClient;
  return { client, events };
};

/** Clients whose time is over after the calls to AWS. */
const makeConnections = (client: WorkloadClient) => {
  const open: { isExpired: boolean }[] = [];
  const connect = (): WorkloadClient => {
    const one = { isExpired: false };
    open.push(one);
    const setHosts: typeof client.services.setHosts = async (service, ingress) => {
      if (one.isExpired) throw new WorkloadUnreachableError('no answer within 25 seconds');
      return client.services.setHosts(service, ingress);
    };
    return { ...client, services: { ...client.services, setHosts } };
  };
  const expire = (): void => {
    for (const one of open) one.isExpired = true;
  };
  return { connect, expire };
};

export const startServiceWorld = async (options: Parameters<typeof startServiceAccount>[0] = {}) => {
  const account = await startServiceAccount(options);
  const { ec2, elb, elbv2, ids } = account;
  const red = await startClusterObjects(ids.vpc, 'Services');
  const state = {
    services: [] as Service[],
    unread: [] as UnreadService[],
    nodes: ids.nodes.map((id) => nodeOf(id)),
    cloudController: undefined as string | undefined,
  };
  const { client, events } = makeClient(state);
  const { connect, expire } = makeConnections(client);
  const real = makeBalancerPort({
    scopeOf: controllerScopeOf,
    balancing: () => serviceBalancing({ ec2, elb, elbv2 }),
    network: () => serviceNetwork(ec2),
    instances: () => createNodeInstances(ec2),
  });
  const balancers: BalancerPort = {
    ...real,
    settle: async (...asked) => {
      const results = await real.settle(...asked);
      expire();
      return results;
    },
  };
  const port = { balancers, fatesOf: async () => ({ graceSeconds: 0, fateOf: () => 'unknown' as const }) };
  const deps = {
    objects: red.objects,
    clock: red.clock,
    log: silentLog,
    connect,
    work: { touch: async () => undefined },
  };
  const step = balanceServices({ ...deps, providers: { aws: port } } as unknown as Parameters<
    typeof balanceServices
  >[0]);
  return {
    ...account,
    state,
    /** The clock of the step; the account has another. */
    clock: red.clock,
    /** Runs one pass; returns the calls of the step, as `<service>:<operation>`, without reads. */
    pass: async (): Promise<string[]> => {
      const before = account.test.calls.length;
      await step(red.input);
      return account.test.calls.slice(before).filter((call) => !call.includes(':Describe'));
    },
    annotate: red.annotate,
    /** Sets `additionalTags` of the AWSCluster. */
    tagCluster: red.tag,
    service: () => state.services[0],
    condition: () => red.conditionOf('windlass.dev/ServicesBalanced'),
    /** Reason and message of each event, as recorded. */
    events: events.told,
    refuseEvents: events.refuse,
    infrastructure: red.infrastructure,
  };
};

export type ServiceWorld = Awaited<ReturnType<typeof startServiceWorld>>;
