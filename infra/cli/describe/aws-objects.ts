/**
 * The objects of a cluster that belong to the AWS provider. Only types are imported, because the page uses this module,
 * too.
 */
import type { AWSCluster, AWSMachine, Cluster, Machine } from '../../../shared/kinds/index.ts';
import type { Reference } from '../../../shared/kinds/reference.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import type { ClusterObjects } from './objects.ts';

/**
 * The name in a reference to an AWS object, as the provider's `awsName` reads it; undefined for any other reference.
 */
const awsNameIn = (kind: 'AWSCluster' | 'AWSMachine', reference: Reference | undefined): string | undefined =>
  reference?.kind === kind && (reference.apiGroup ?? GROUP.infrastructure) === GROUP.infrastructure
    ? reference.name
    : undefined;

export const awsClusterName = ({ spec }: Cluster): string | undefined =>
  awsNameIn('AWSCluster', spec.infrastructureRef);

export const awsMachineName = ({ spec }: Machine): string | undefined =>
  awsNameIn('AWSMachine', spec.infrastructureRef);

/** The AWSCluster of a cluster; undefined if its infrastructure is not AWS or does not exist. */
export const awsClusterOf = ({ cluster, infrastructure }: ClusterObjects): AWSCluster | undefined =>
  awsClusterName(cluster) === undefined ? undefined : (infrastructure as AWSCluster | undefined);

/** The AWSMachines of a cluster. */
export const awsMachinesOf = ({ machines, instances }: ClusterObjects): AWSMachine[] =>
  machines.flatMap((machine) => {
    const found: KubeObject | undefined =
      awsMachineName(machine) === undefined ? undefined : instances.get(machine.metadata.name);
    return found ? [found as AWSMachine] : [];
  });
