import { describeAwsError } from '../../../shared/aws/errors.ts';
import type { AWSCluster, AWSMachineTemplate } from '../../../shared/kinds/index.ts';
import type { Ec2Capacity } from '../../../shared/providers/aws/api/ec2-capacity.ts';
import type { Ec2Fleet } from '../../../shared/providers/aws/api/ec2-fleet.ts';
import { ABSENCE_GRACE_SECONDS } from '../../../shared/providers/aws/plan/drift/states.ts';
import { capacityOf, nodeInfoOf } from '../../../shared/providers/aws/plan/launch/capacity.ts';
import type { PerScope } from '../../../shared/providers/aws/scope.ts';
import type { BalancerPort, Capacity, RoutePort, WorkloadPort } from '../ports.ts';
import type { ScopeOf } from './aws-scope.ts';

interface WorkloadPortDependencies {
  scopeOf: ScopeOf;
  fleet: PerScope<Pick<Ec2Fleet, 'statesOf'>>;
  capacity: PerScope<Ec2Capacity>;
  /** Absent if no load balancers are created for Services. */
  balancers?: BalancerPort;
  /** Absent if no routes to pods are created. */
  routes?: RoutePort;
}

/** The templates of a pass often have the same type. */
const askingOnce = (ec2: Ec2Capacity): Ec2Capacity => {
  const asked = new Map<string, ReturnType<Ec2Capacity['instanceType']>>();
  const instanceType = (name: string) => {
    const answer = asked.get(name) ?? ec2.instanceType(name);
    asked.set(name, answer);
    return answer;
  };
  return { ...ec2, instanceType };
};

const describe = async (ec2: Ec2Capacity, template: AWSMachineTemplate): Promise<Capacity | string> => {
  const { instanceType, ami } = template.spec.template.spec;
  try {
    const [type, image] = await Promise.all([ec2.instanceType(instanceType), ami?.id ? ec2.image(ami.id) : undefined]);
    const nodeInfo = type && nodeInfoOf(type, image);
    return nodeInfo
      ? { capacity: capacityOf(type), nodeInfo }
      : `the architecture of instance type ${instanceType} is unknown`;
  } catch (error) {
    return `spec.template.spec.instanceType ${instanceType}: ${describeAwsError(error)}`;
  }
};

/**
 * The reads of the cluster-workload function, and the resources that it creates for a cluster: load balancers of
 * Services, and routes.
 */
export const makeWorkloadPort = ({ scopeOf, fleet, capacity, ...duties }: WorkloadPortDependencies): WorkloadPort => ({
  ...duties,
  fatesOf: async (cluster, instanceIds) => {
    const states = await fleet(await scopeOf(cluster as AWSCluster | null)).statesOf(instanceIds);
    return {
      graceSeconds: ABSENCE_GRACE_SECONDS,
      fateOf: (id) => {
        const state = states.get(id);
        if (state === undefined) return 'unknown';
        return state === 'terminated' ? 'gone' : 'there';
      },
    };
  },
  capacity: async (cluster) => {
    const ec2 = askingOnce(capacity(await scopeOf(cluster as AWSCluster)));
    return (template) => describe(ec2, template as AWSMachineTemplate);
  },
});
