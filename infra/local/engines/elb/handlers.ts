import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import { lifeOf } from '../ec2/instances/view.ts';
import { pageOf } from '../elbv2/pages.ts';
import type { DataPath } from '../elbv2/state.ts';
import { addTags } from '../elbv2/tags.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { attributesOf, setAttributes } from './attributes.ts';
import { addInstances, addListeners, removeInstances, removeListeners, setHealthCheck } from './forwarding.ts';
import { applyGroups, attachSubnets, create, detachSubnets, remove, view } from './load-balancers.ts';
import { policyActions } from './policies.ts';
import { type ClassicElb, type ClassicLoadBalancer, find } from './state.ts';

const NAMES_PER_CALL = 20;

const idsOf = (instances: readonly sdk.Instance[] | undefined): string[] =>
  (instances ?? []).map(({ InstanceId = '' }) => InstanceId);

const instancesOf = ({ instances }: ClassicLoadBalancer) => ({
  Instances: [...instances].map((InstanceId) => ({ InstanceId })),
});

/** Throws if one is not a running instance in the load balancer's VPC. */
const checkInstances = ({ ec2 }: ClassicElb, { vpcId }: ClassicLoadBalancer, ids: readonly string[]): void => {
  for (const id of ids) {
    const instance = ec2.instances.find(id);
    if (instance?.vpcId !== vpcId) throw new AwsFault('InvalidInstance', `Could not find EC2 instance ${id}.`);
    if (lifeOf(ec2, instance) !== 'running')
      throw new AwsFault('InvalidInstance', `EC2 instance ${id} is not in a running state.`);
  }
};

const tagActions = (elb: ClassicElb): Handlers<typeof sdk> => ({
  AddTags: ({ LoadBalancerNames = [], Tags = [] }) => {
    for (const name of LoadBalancerNames) addTags(find(elb, name).tags, Tags);
    return {};
  },
  RemoveTags: ({ LoadBalancerNames = [], Tags = [] }) => {
    for (const name of LoadBalancerNames) for (const { Key = '' } of Tags) find(elb, name).tags.delete(Key);
    return {};
  },
  DescribeTags: ({ LoadBalancerNames = [] }) => {
    if (LoadBalancerNames.length > NAMES_PER_CALL)
      throw new AwsFault('ValidationError', `At most ${NAMES_PER_CALL} load balancer names can be specified`);
    return {
      TagDescriptions: LoadBalancerNames.map((name) => ({
        LoadBalancerName: name,
        Tags: [...find(elb, name).tags].map(([Key, Value]) => ({ Key, Value })),
      })),
    };
  },
});

const instanceActions = (elb: ClassicElb): Handlers<typeof sdk> => ({
  RegisterInstancesWithLoadBalancer: ({ LoadBalancerName, Instances }) => {
    const found = find(elb, LoadBalancerName);
    checkInstances(elb, found, idsOf(Instances));
    addInstances(elb, found, idsOf(Instances));
    return instancesOf(found);
  },
  DeregisterInstancesFromLoadBalancer: ({ LoadBalancerName, Instances }) => {
    const found = find(elb, LoadBalancerName);
    removeInstances(elb, found, idsOf(Instances));
    return instancesOf(found);
  },
});

const settingActions = (elb: ClassicElb, dataPath: DataPath): Handlers<typeof sdk> => ({
  CreateLoadBalancerListeners: ({ LoadBalancerName, Listeners = [] }) => {
    addListeners(elb, dataPath, find(elb, LoadBalancerName), Listeners);
    return {};
  },
  DeleteLoadBalancerListeners: ({ LoadBalancerName, LoadBalancerPorts = [] }) => {
    removeListeners(elb, dataPath, find(elb, LoadBalancerName), LoadBalancerPorts);
    return {};
  },
  ConfigureHealthCheck: ({ LoadBalancerName, HealthCheck }) => {
    const found = find(elb, LoadBalancerName);
    if (HealthCheck) setHealthCheck(elb, found, HealthCheck);
    return { HealthCheck: found.healthCheck };
  },
  DescribeLoadBalancerAttributes: ({ LoadBalancerName }) => ({
    LoadBalancerAttributes: attributesOf(find(elb, LoadBalancerName)),
  }),
  ModifyLoadBalancerAttributes: ({ LoadBalancerName, LoadBalancerAttributes }) => {
    const found = find(elb, LoadBalancerName);
    setAttributes(found, LoadBalancerAttributes);
    return { LoadBalancerName, LoadBalancerAttributes: attributesOf(found) };
  },
  AttachLoadBalancerToSubnets: ({ LoadBalancerName, Subnets = [] }) => ({
    Subnets: attachSubnets(elb, LoadBalancerName, Subnets),
  }),
  DetachLoadBalancerFromSubnets: ({ LoadBalancerName, Subnets = [] }) => ({
    Subnets: detachSubnets(elb, LoadBalancerName, Subnets),
  }),
  ApplySecurityGroupsToLoadBalancer: ({ LoadBalancerName, SecurityGroups = [] }) => ({
    SecurityGroups: applyGroups(elb, LoadBalancerName, SecurityGroups),
  }),
});

/** The first generation: the default for Services, and the API's load balancer of type `classic`. */
export const classicElbHandlers = (elb: ClassicElb, dataPath: DataPath): Handlers<typeof sdk> => ({
  CreateLoadBalancer: (input) => ({ DNSName: create(elb, dataPath, input) }),
  DescribeLoadBalancers: ({ LoadBalancerNames = [], Marker, PageSize }) => {
    const asked = LoadBalancerNames.map((name) => find(elb, name));
    const { rows, nextMarker } = pageOf(asked.length > 0 ? asked : [...elb.loadBalancers.values()], {
      Marker,
      PageSize,
    });
    return { LoadBalancerDescriptions: rows.map((row) => view(elb, row)), NextMarker: nextMarker };
  },
  DeleteLoadBalancer: ({ LoadBalancerName = '' }) => {
    remove(elb, dataPath, LoadBalancerName);
    return {};
  },
  ...settingActions(elb, dataPath),
  ...instanceActions(elb),
  ...tagActions(elb),
  ...policyActions(elb),
});
