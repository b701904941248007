/** A cluster with a bastion and with load balancers of both generations, which a user changes. */
import { ImportKeyPairCommand } from '@aws-sdk/client-ec2';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { renamed } from '../../../end-to-end/laptop.ts';
import { OF_POOL, provide, retag } from './machine-options.ts';
import { INSIDE, meddle } from './meddle.ts';
import { applyAll, remove, runs, type Story } from './story.ts';

type Change = (object: KubeObject) => KubeObject;
type Anything = Record<string, unknown>;

const withSpec = (object: KubeObject, spec: Anything): KubeObject =>
  ({ ...object, spec: { ...(object as { spec?: Anything }).spec, ...spec } }) as KubeObject;

/** Adds fields to the machine spec of a template. */
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
 * A cluster with a bastion, a classic load balancer and an internal network load balancer. User data is in Parameter
 * Store. Workers are spot instances with a key pair.
 */
const spot: Change = (object) => {
  if (object.kind === 'AWSCluster') {
    const controlPlaneLoadBalancer = { loadBalancerType: 'classic', healthCheckProtocol: 'HTTPS' };
    const secondaryControlPlaneLoadBalancer = { name: INSIDE, additionalListeners: [{ port: 8132 }] };
    return withSpec(object, {
      sshKeyName: 'admin',
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

export const spotStory: Story = {
  name: 'spot',
  run: async (laptop) => {
    const PublicKeyMaterial = Buffer.from('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHN0aWxsLW5vdC1hLWtleQ== admin');
    await laptop.ec2.send(new ImportKeyPairCommand({ KeyName: 'admin', PublicKeyMaterial }));
    provide(laptop);
    await applyAll(laptop, 'examples/quickstart.yaml', (object) => spot(replicas(1, 1)(renamed('spot')(object))));
    await runs(laptop, 'spot', 2);
    await retag(laptop);
    await meddle(laptop);
    await remove(laptop, 'spot');
  },
};
