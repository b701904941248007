import type { AWSCluster, MachineDeployment } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP } from '../../../shared/plan/labels.ts';

/** What is changed of templates before they are applied; the table says of which, and why. */

const V1BETA2 = `${GROUP.infrastructure}/v1beta2`;

/** Cluster API's own end-to-end templates are for its Docker provider: the same on AWS. */
const onAws = (object: KubeObject): KubeObject => {
  const { kind, metadata } = object;
  if (kind === 'DevCluster') {
    return { apiVersion: V1BETA2, kind: 'AWSCluster', metadata, spec: { region: 'us-east-1' } } as KubeObject;
  }
  if (kind === 'DevMachineTemplate') {
    const spec = { template: { spec: { instanceType: 't3.large' } } };
    return { apiVersion: V1BETA2, kind: 'AWSMachineTemplate', metadata, spec } as KubeObject;
  }
  const text = JSON.stringify(object)
    .replaceAll('"DevCluster"', '"AWSCluster"')
    .replaceAll('"DevMachineTemplate"', '"AWSMachineTemplate"');
  const changed = JSON.parse(text) as KubeObject;
  // A failure domain of the Docker provider is no zone.
  if (kind === 'MachineDeployment') delete (changed as MachineDeployment).spec.template.spec.failureDomain;
  return changed;
};

/**
 * A range of its own for the VPC of each cluster whose template names none: the simulated cloud controller managers know
 * instances by their private DNS names, which are unique in a network.
 */
const inRange = (object: AWSCluster, index: number): AWSCluster => {
  const { network } = object.spec;
  if (network?.vpc?.id || network?.subnets) return object;
  const vpc = { ...network?.vpc, cidrBlock: `10.${20 + index}.0.0/16` };
  return { ...object, spec: { ...object.spec, network: { ...network, vpc } } } as AWSCluster;
};

/** A control plane that scales in before it scales out has three machines at least. */
const ofThree = (object: KubeObject): KubeObject => {
  const { spec } = object as KubeObject & { spec: { rolloutStrategy?: { rollingUpdate?: { maxSurge?: unknown } } } };
  if (spec.rolloutStrategy?.rollingUpdate?.maxSurge !== 0) return object;
  return { ...object, spec: { ...spec, replicas: 3 } } as KubeObject;
};

/** `index`: of the template among those that come up. */
export const changed = (object: KubeObject, index: number): KubeObject => {
  const there = onAws(object);
  if (there.kind === 'AWSCluster') return inRange(there as AWSCluster, index);
  if (there.kind === 'KubeadmControlPlane') return ofThree(there);
  if (there.kind === 'AWSClusterRoleIdentity') {
    const annotations = { 'windlass.dev/without-external-id': 'true' };
    return { ...there, metadata: { ...there.metadata, annotations } };
  }
  return there;
};
