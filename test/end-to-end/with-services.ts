/** A Service of type LoadBalancer in a workload cluster, from its creation to its deletion. */
import { DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { DescribeTargetGroupsCommand, ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { CoreV1Api, V1Service } from '@kubernetes/client-node';
import { CORE, type TestLaptop } from './laptop.ts';
import { deleteClassic, liveWithClassic } from './with-classic-services.ts';

const NAMESPACE = 'default';
const NAME = 'story';
const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';
const RANGE = '192.0.2.0/24';

type Laptop = Pick<TestLaptop, 'access' | 'api' | 'ec2' | 'until' | 'workload'>;

const serviceOf = (annotations: Record<string, string>, spec: V1Service['spec']): V1Service => ({
  metadata: {
    name: NAME,
    namespace: NAMESPACE,
    annotations: {
      [`${PREFIX}type`]: 'nlb',
      ...Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${PREFIX}${key}`, value])),
    },
  },
  spec: { type: 'LoadBalancer', selector: { app: 'web' }, ...spec },
});

const annotate = (laptop: Laptop, cluster: string, annotations: Record<string, string>) =>
  laptop.api.send(
    'PATCH',
    `${CORE}/clusters/${cluster}`,
    { metadata: { annotations } },
    'application/merge-patch+json',
  );

/** The host or address of the Service; undefined until it has one. */
const addressOf = async (workload: CoreV1Api): Promise<string | undefined> => {
  const { status } = await workload.readNamespacedService({ namespace: NAMESPACE, name: NAME });
  const [ingress] = status?.loadBalancer?.ingress ?? [];
  return ingress?.hostname ?? ingress?.ip;
};

const hasRange = async ({ ec2 }: Laptop): Promise<boolean> => {
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  return SecurityGroups.some(({ IpPermissions = [] }) =>
    IpPermissions.some(({ IpRanges = [] }) => IpRanges.some(({ CidrIp }) => CidrIp === RANGE)),
  );
};

const hasThreshold = async ({ access }: Laptop): Promise<boolean> => {
  const { region, awsUrl: endpoint, credentials } = access;
  const elbv2 = new ElasticLoadBalancingV2Client({ region, endpoint, credentials });
  try {
    const { TargetGroups = [] } = await elbv2.send(new DescribeTargetGroupsCommand({}));
    const own = TargetGroups.filter(({ TargetGroupName = '' }) =>
      TargetGroupName.startsWith(`k8s-${NAMESPACE}-${NAME}-`),
    );
    return own.length > 0 && own.every(({ HealthyThresholdCount }) => HealthyThresholdCount === 4);
  } finally {
    elbv2.destroy();
  }
};

/** Covers every call that Services of both types can cause, except for those of TLS in a network load balancer. */
export const liveWithServices = async (laptop: Laptop, cluster: string): Promise<void> => {
  const workload = await laptop.workload(cluster);
  let passes = 0;
  const requestPass = () => {
    passes += 1;
    const time = new Date(Date.UTC(2030, 0, 31, 12, 0, passes)).toISOString().replace('.000', '');
    return annotate(laptop, cluster, { 'windlass.dev/reconcile-requested-at': time });
  };
  const ports = [
    { name: 'a', port: 18_082, nodePort: 31_082 },
    { name: 'b', port: 18_083, nodePort: 31_083 },
  ];
  const body = serviceOf({ 'cross-zone-load-balancing-enabled': 'true' }, { ports });
  await workload.createNamespacedService({ namespace: NAMESPACE, body });
  await annotate(laptop, cluster, { 'windlass.dev/cloud-controller': 'Services' });
  await laptop.until('the Service has an address', () => addressOf(workload));
  const classic = await liveWithClassic(laptop, cluster, workload, requestPass);

  const threshold = { [`${PREFIX}healthcheck-healthy-threshold`]: '4' };
  const before = await workload.readNamespacedService({ namespace: NAMESPACE, name: NAME });
  const withThreshold = { ...before.metadata, annotations: { ...before.metadata?.annotations, ...threshold } };
  const checked = { ...before, metadata: withThreshold };
  await workload.replaceNamespacedService({ namespace: NAMESPACE, name: NAME, body: checked });
  await requestPass();
  await laptop.until('the health check follows', () => hasThreshold(laptop));

  const { metadata } = await workload.readNamespacedService({ namespace: NAMESPACE, name: NAME });
  const attributes = { 'target-group-attributes': 'proxy_protocol_v2.enabled=true' };
  const changed = serviceOf(
    { ...attributes, 'healthcheck-healthy-threshold': '4' },
    { ports: [{ name: 'a', port: 18_082, nodePort: 31_084 }], loadBalancerSourceRanges: [RANGE] },
  );
  const merged = { ...changed.metadata, resourceVersion: metadata?.resourceVersion, finalizers: metadata?.finalizers };
  await workload.replaceNamespacedService({ namespace: NAMESPACE, name: NAME, body: { ...changed, metadata: merged } });
  await requestPass();
  await laptop.until('the load balancer follows its Service', () => hasRange(laptop));

  const { items } = await workload.listNode();
  const labels = { 'node.kubernetes.io/exclude-from-external-load-balancers': 'true' };
  for (const node of items) {
    const whole = { ...node, metadata: { ...node.metadata, labels: { ...node.metadata?.labels, ...labels } } };
    await workload.replaceNode({ name: node.metadata?.name ?? '', body: whole });
  }
  await requestPass();
  await laptop.until('no node is behind the load balancer', async () => {
    const events = await workload.listNamespacedEvent({ namespace: NAMESPACE });
    return events.items.some(({ reason }) => reason === 'UnAvailableLoadBalancer');
  });

  await workload.deleteNamespacedService({ namespace: NAMESPACE, name: NAME });
  await deleteClassic(workload);
  await requestPass();
  await laptop.until('the Service is gone', async () => {
    const left = await workload.listNamespacedService({ namespace: NAMESPACE });
    return left.items.every((service) => service.metadata?.name !== NAME);
  });
  await classic.end();
};
