/**
 * Tests a cluster with a load balancer that the user creates. The user also sets the endpoint and registers the
 * machine.
 */
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const CLUSTER = `${INFRASTRUCTURE}/awsclusters/quickstart`;

let laptop: TestLaptop;
let elb: ElasticLoadBalancingV2Client;
beforeAll(async () => {
  laptop = await startTestLaptop();
  const { region, awsUrl: endpoint, credentials } = laptop.access;
  elb = new ElasticLoadBalancingV2Client({ region, endpoint, credentials });
}, LIMIT);
afterAll(async () => {
  elb?.destroy();
  await laptop?.stop();
});

const external = (object: KubeObject): KubeObject => {
  const { spec } = object as { spec?: object };
  if (object.kind === 'AWSCluster')
    return { ...object, spec: { ...spec, controlPlaneLoadBalancer: { loadBalancerType: 'disabled' } } } as KubeObject;
  const isOwner = object.kind === 'KubeadmControlPlane' || object.kind === 'MachineDeployment';
  return isOwner ? ({ ...object, spec: { ...spec, replicas: 1 } } as KubeObject) : object;
};

const infrastructure = () => laptop.get<AWSCluster>(CLUSTER);

/** Creates the user's resources in the network of the cluster. */
const makeOwn = async () => {
  const { vpc, subnets = [] } = (await infrastructure())?.spec.network ?? {};
  const Subnets = subnets.filter(({ isPublic }) => isPublic).flatMap(({ resourceID }) => resourceID ?? []);
  const balancer = { Name: 'of-a-person', Type: 'network' as const, Subnets };
  const { LoadBalancers: [made] = [] } = await elb.send(new CreateLoadBalancerCommand(balancer));
  const group = { Name: 'of-a-person', Protocol: 'TCP' as const, Port: 6443, VpcId: vpc?.id };
  const { TargetGroups: [behind] = [] } = await elb.send(new CreateTargetGroupCommand(group));
  const LoadBalancerArn = made?.LoadBalancerArn;
  const TargetGroupArn = behind?.TargetGroupArn;
  const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }];
  await elb.send(new CreateListenerCommand({ LoadBalancerArn, Protocol: 'TCP', Port: 6443, DefaultActions }));
  return { host: made?.DNSName ?? '', LoadBalancerArn, TargetGroupArn };
};

/** Registers the control plane instance as soon as it is running. */
const registerServer = async (TargetGroupArn: string | undefined): Promise<void> => {
  await laptop.until('the control plane instance is behind the load balancer', async () => {
    const machines = await laptop.list<AWSMachine>(`${INFRASTRUCTURE}/awsmachines`);
    const server = machines.find(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/control-plane'] !== undefined);
    if (!server?.spec.instanceID || server.status?.instanceState !== 'running') return false;
    await elb.send(new RegisterTargetsCommand({ TargetGroupArn, Targets: [{ Id: server.spec.instanceID }] }));
    return true;
  });
};

it('a cluster waits for the endpoint, runs behind it, and leaves the load balancer unchanged when it is deleted', {
  timeout: LIMIT,
}, async () => {
  expect(await laptop.applyFile('examples/quickstart.yaml', external)).toEqual([]);
  await laptop.until('the endpoint is waited for', async () => {
    const reason = conditionOf(await infrastructure(), 'LoadBalancerReady')?.reason;
    return reason === 'WaitForExternalControlPlaneEndpoint';
  });

  const { host, LoadBalancerArn, TargetGroupArn } = await makeOwn();
  const spec = { controlPlaneEndpoint: { host, port: 6443 } };
  await laptop.api.send('PATCH', CLUSTER, { spec }, 'application/merge-patch+json');
  await registerServer(TargetGroupArn);
  await laptop.until(
    'the cluster is Available',
    async () => conditionOf(await laptop.cluster('quickstart'), 'Available')?.status === 'True',
  );
  expect(laptop.account.elbv2().loadBalancers.size).toBe(1);

  await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
  await laptop.until('the machines are gone', async () => (await laptop.machines('quickstart')).length === 0);
  await elb.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
  await elb.send(new DeleteTargetGroupCommand({ TargetGroupArn }));
  await laptop.until('the cluster is gone', async () => (await laptop.cluster('quickstart')) === undefined);
});
