/** A cluster of one control plane machine and one worker at several moments, for tests. */
import type {
  AWSCluster,
  Cluster,
  KubeadmControlPlane,
  Machine,
  MachineDeployment,
} from '../../../shared/kinds/index.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import type { ClusterSnapshot } from './snapshot.ts';

type Status = 'True' | 'False' | 'Unknown';

const condition = (type: string, status: Status = 'True', message = '', severity?: string) => ({
  type,
  status,
  message,
  reason: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
  ...(severity ? { severity } : {}),
});

const NETWORK = ['VpcReady', 'SubnetsReady', 'InternetGatewayReady', 'RouteTablesReady', 'ClusterSecurityGroupsReady'];

const machine = (name: string, phase: string, labels: Record<string, string>): Machine => {
  const launched = phase === 'Provisioned' || phase === 'Running';
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace: 'default', labels },
    spec: launched ? { providerID: `aws:///us-east-1a/i-${name}` } : {},
    status: {
      phase,
      ...(launched ? { failureDomain: 'us-east-1a' } : {}),
      conditions: [
        condition('BootstrapConfigReady'),
        condition('InfrastructureReady', launched ? 'True' : 'False', 'InstanceNotReady: pending'),
        condition('NodeHealthy', phase === 'Running' ? 'True' : 'Unknown', 'Waiting for a Node'),
      ],
    },
  } as unknown as Machine;
};

export const controlPlaneMachine = (phase: string): Machine =>
  machine('demo-cp-a', phase, { [LABEL.controlPlane]: '' });

export const worker = (phase: string, name = 'demo-md-x'): Machine =>
  machine(name, phase, { [LABEL.deploymentName]: 'demo-md' });

const cluster = (available: boolean): Cluster =>
  ({
    kind: 'Cluster',
    metadata: { name: 'demo', namespace: 'default' },
    spec: { controlPlaneEndpoint: { host: '127.1.2.3', port: 6443 } },
    status: {
      phase: 'Provisioned',
      conditions: [
        condition('InfrastructureReady'),
        condition('ControlPlaneAvailable', available ? 'True' : 'False', '* not yet initialized\n* more'),
        condition('Available', available ? 'True' : 'False'),
      ],
    },
  }) as unknown as Cluster;

const awsCluster = (...conditions: ReturnType<typeof condition>[]): AWSCluster =>
  ({
    kind: 'AWSCluster',
    metadata: { name: 'demo-aws' },
    spec: { network: { vpc: { id: 'vpc-1' }, subnets: [{ id: 'a', natGatewayId: 'nat-1' }, { id: 'b' }] } },
    status: { conditions },
  }) as unknown as AWSCluster;

const controlPlane = (initialized: boolean): KubeadmControlPlane =>
  ({
    kind: 'KubeadmControlPlane',
    metadata: { name: 'demo-cp' },
    spec: { replicas: 1, version: 'v1.34.0' },
    status: {
      conditions: [condition('CertificatesAvailable'), condition('Initialized', initialized ? 'True' : 'False')],
    },
  }) as unknown as KubeadmControlPlane;

const deployment = {
  kind: 'MachineDeployment',
  metadata: { name: 'demo-md' },
  spec: { replicas: 1 },
} as MachineDeployment;

const base = { namespace: 'default', name: 'demo', deployments: [deployment], pools: [] };

/** The network exists, the rest is in progress. */
export const begun: ClusterSnapshot = {
  ...base,
  cluster: cluster(false),
  infrastructure: awsCluster(...NETWORK.map((type) => condition(type)), condition('NatGatewaysReady', 'False')),
  controlPlane: controlPlane(false),
  machines: [controlPlaneMachine('Provisioning')],
};

/** Everything exists. */
export const complete: ClusterSnapshot = {
  ...base,
  cluster: cluster(true),
  infrastructure: awsCluster(
    ...NETWORK.map((type) => condition(type)),
    condition('NatGatewaysReady'),
    condition('LoadBalancerReady'),
  ),
  controlPlane: controlPlane(true),
  machines: [controlPlaneMachine('Running'), worker('Running')],
};

/** The account has no addresses left. */
export const blocked: ClusterSnapshot = {
  ...begun,
  infrastructure: awsCluster(
    ...NETWORK.map((type) => condition(type)),
    condition(
      'NatGatewaysReady',
      'False',
      'AddressLimitExceeded: The maximum number of addresses has been reached.',
      'Error',
    ),
  ),
};
