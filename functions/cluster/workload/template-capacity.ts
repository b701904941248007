import { describeAwsError } from '../../../shared/aws/errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { type AWSMachineTemplate, kinds } from '../../../shared/kinds/index.ts';
import { isOwnedByKind } from '../../../shared/kinds/reference.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { Ec2Capacity } from '../../../shared/providers/aws/api/ec2-capacity.ts';
import { capacityOf, hasCapacity, nodeInfoOf } from '../../../shared/providers/aws/plan/launch/capacity.ts';
import type { PerScope } from '../../../shared/providers/aws/scope.ts';
import { infrastructureName } from '../../../shared/providers/registry.ts';
import type { ScopeOf } from '../../providers/aws/aws-scope.ts';
import type { ClusterSnapshot } from '../snapshot.ts';

export interface CapacityDependencies {
  objects: ObjectClient;
  clock: Clock;
  scopeOf: ScopeOf;
  capacity: PerScope<Ec2Capacity>;
}

/** The machine templates that the cluster's deployments, free sets and control plane refer to. */
const templateNames = ({ controlPlane, deployments, sets }: ClusterSnapshot): string[] => {
  const refs = [
    controlPlane?.spec.machineTemplate.spec.infrastructureRef,
    ...deployments.map(({ spec }) => spec.template.spec.infrastructureRef),
    ...sets
      .filter(({ metadata }) => !metadata.ownerReferences?.some(isOwnedByKind(kinds.machineDeployment)))
      .map(({ spec }) => spec.template.spec.infrastructureRef),
  ];
  return [...new Set(refs.flatMap((ref) => infrastructureName('machineTemplate', ref) ?? []))];
};

const say = async ({ objects, clock }: CapacityDependencies, template: AWSMachineTemplate, message: string) =>
  recordEvent(
    objects,
    { regarding: template, type: 'Warning', reason: 'CapacityQueryFailed', message, component: 'cluster-workload' },
    clock,
  );

const fill = async (deps: CapacityDependencies, ec2: Ec2Capacity, template: AWSMachineTemplate): Promise<void> => {
  const { instanceType, ami } = template.spec.template.spec;
  try {
    const [type, image] = await Promise.all([ec2.instanceType(instanceType), ami?.id ? ec2.image(ami.id) : undefined]);
    const nodeInfo = type && nodeInfoOf(type, image);
    if (!nodeInfo) {
      await say(deps, template, `the architecture of instance type ${instanceType} cannot be told`);
      return;
    }
    const { namespace = '', name } = template.metadata;
    await deps.objects.mutate(kinds.awsMachineTemplate, { namespace, name }, (current) => ({
      ...current,
      status: { ...current.status, capacity: capacityOf(type), nodeInfo },
    }));
  } catch (error) {
    // A cluster without an autoscaler does not need it: nothing else waits for this.
    await say(deps, template, `spec.template.spec.instanceType ${instanceType}: ${describeAwsError(error)}`);
  }
};

/** Templates of one pass are often of one type. */
const askingOnce = (ec2: Ec2Capacity): Ec2Capacity => {
  const asked = new Map<string, ReturnType<Ec2Capacity['instanceType']>>();
  const instanceType = (name: string) => {
    const answer = asked.get(name) ?? ec2.instanceType(name);
    asked.set(name, answer);
    return answer;
  };
  return { ...ec2, instanceType };
};

/** Says in the status of each machine template how large its machines are, so that an autoscaler can scale from zero. */
export const tellCapacity = async (deps: CapacityDependencies, snapshot: ClusterSnapshot): Promise<void> => {
  const { infrastructure } = snapshot;
  const { namespace = '' } = snapshot.cluster.metadata;
  if (!infrastructure) return;
  const names = templateNames(snapshot);
  const templates = await Promise.all(
    names.map((name) => deps.objects.get(kinds.awsMachineTemplate, { namespace, name })),
  );
  const wanting = templates.filter((one) => one !== undefined).filter((one) => !hasCapacity(one));
  if (wanting.length === 0) return;
  const ec2 = askingOnce(deps.capacity(await deps.scopeOf(infrastructure)));
  await Promise.all(wanting.map((template) => fill(deps, ec2, template)));
};
