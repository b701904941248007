/** Clusters that between them make the functions call all that they may call. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { renamed } from '../../end-to-end/laptop.ts';
import { OF_POOL, ON_HOST } from './machines.ts';

/** The second load balancer of the cluster `spot`. */
export const INSIDE = 'spot-inside';

type Change = (object: KubeObject) => KubeObject;
type Anything = Record<string, unknown>;

const withSpec = (object: KubeObject, spec: Anything): KubeObject =>
  ({ ...object, spec: { ...(object as { spec?: Anything }).spec, ...spec } }) as KubeObject;

/** The spec of what a template makes, with further members. */
const withTemplateSpec = (object: KubeObject, spec: Anything): KubeObject => {
  const { template } = (object as unknown as { spec: { template: { spec: Anything } } }).spec;
  return withSpec(object, { template: { ...template, spec: { ...template.spec, ...spec } } });
};

const replicas =
  (controlPlane: number, workers: number): Change =>
  (object) => {
    if (/ControlPlane$/.test(object.kind)) return withSpec(object, { replicas: controlPlane });
    return object.kind === 'MachineDeployment' ? withSpec(object, { replicas: workers }) : object;
  };

/**
 * A bastion, and one machine of each role, the worker on the spot market, with a key pair, its user data in the Parameter Store; a classic
 * load balancer, and a network load balancer inside.
 */
const spot: Change = (object) => {
  if (object.kind === 'AWSCluster') {
    const controlPlaneLoadBalancer = { loadBalancerType: 'classic', healthCheckProtocol: 'HTTPS' };
    const secondaryControlPlaneLoadBalancer = { name: INSIDE, additionalListeners: [{ port: 8132 }] };
    return withSpec(object, {
      bastion: { enabled: true },
      controlPlaneLoadBalancer,
      secondaryControlPlaneLoadBalancer,
    });
  }
  if (object.kind !== 'AWSMachineTemplate') return object;
  const cloudInit = { secureSecretsBackend: 'ssm-parameter-store' };
  const market = object.metadata.name.includes('control-plane')
    ? {}
    : { spotMarketOptions: {}, sshKeyName: 'admin', ...OF_POOL };
  return withTemplateSpec(object, { cloudInit, ...market });
};

/** Workers on Dedicated Hosts. */
const onHosts: Change = (object) =>
  object.kind === 'AWSMachineTemplate' && !object.metadata.name.includes('control-plane')
    ? withTemplateSpec(object, ON_HOST)
    : object;

export interface ClusterToTry {
  name: string;
  file: string;
  change: Change;
  machines: number;
}

/** One after the other they would take minutes; together they take as long as the slowest. */
export const CLUSTERS: readonly ClusterToTry[] = [
  { name: 'quickstart', file: 'examples/quickstart.yaml', change: (object) => object, machines: 6 },
  { name: 'flatcar', file: 'examples/flatcar.yaml', change: onHosts, machines: 2 },
  {
    name: 'spot',
    file: 'examples/quickstart.yaml',
    change: (object) => spot(replicas(1, 1)(renamed('spot')(object))),
    machines: 2,
  },
];
