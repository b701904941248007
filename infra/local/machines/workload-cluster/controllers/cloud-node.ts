import type { JsonObject } from '../../../../../shared/kube-api/json.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { isCloudController } from '../../../../../shared/plan/machines/cloud-controller.ts';
import type { Instance } from '../../ports.ts';
import { daemonSet, deployment, node } from '../kinds.ts';
import type { Node } from '../objects.ts';

const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';

const isWaiting = ({ spec }: Node): boolean => spec?.taints?.some(({ key }) => key === UNINITIALIZED) === true;

/**
 * As the AWS cloud provider does, matches by the provider id, or else the private DNS name, or else the instance id in
 * the name.
 */
const isOn = ({ metadata, spec }: Node, { id, privateDnsName }: Instance): boolean => {
  if (spec?.providerID) return spec.providerID.split('/').at(-1) === id;
  return metadata.name === privateDnsName || metadata.name.split('.')[0] === id;
};

const addressesOf = (instance: Instance): { type: string; address: string }[] => [
  { type: 'InternalIP', address: instance.privateIp },
  ...(instance.publicIp ? [{ type: 'ExternalIP', address: instance.publicIp }] : []),
  { type: 'InternalDNS', address: instance.privateDnsName },
  { type: 'Hostname', address: instance.privateDnsName },
  ...(instance.publicDnsName ? [{ type: 'ExternalDNS', address: instance.publicDnsName }] : []),
];

const initialized = (current: Node, instance: Instance): Node => ({
  ...current,
  metadata: {
    ...current.metadata,
    labels: {
      ...current.metadata.labels,
      'node.kubernetes.io/instance-type': instance.instanceType,
      'topology.kubernetes.io/zone': instance.availabilityZone,
      'topology.kubernetes.io/region': instance.region,
    },
  },
  spec: {
    ...current.spec,
    providerID: current.spec?.providerID ?? `aws:///${instance.availabilityZone}/${instance.id}`,
    taints: current.spec?.taints?.filter(({ key }) => key !== UNINITIALIZED),
  },
  status: { ...current.status, addresses: addressesOf(instance) },
});

const isInstalled = async (objects: ObjectClient): Promise<boolean> => {
  const [sets, deployments] = await Promise.all([objects.list(daemonSet), objects.list(deployment)]);
  return [...sets, ...deployments].some((one) => isCloudController(one as unknown as JsonObject, one.kind));
};

/**
 * Does for new nodes what a cloud controller manager does, if a workload that runs one was installed: there is no
 * scheduler and no image here, so the object stands for the program.
 */
export const reconcileCloudNodes = async (
  objects: ObjectClient,
  instances: () => Promise<Instance[]>,
): Promise<void> => {
  const waiting = (await objects.list<Node>(node)).filter(isWaiting);
  if (waiting.length === 0 || !(await isInstalled(objects))) return;
  const known = await instances();
  for (const { metadata } of waiting) {
    await objects.mutate<Node>(node, { namespace: '', name: metadata.name }, (current) => {
      const instance = known.find((one) => isOn(current, one));
      return instance && isWaiting(current) ? initialized(current, instance) : undefined;
    });
  }
};
