import {
  CreateTargetGroupCommand,
  DeleteListenerCommand,
  DeleteTargetGroupCommand,
  ModifyListenerCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoadBalancer, TargetGroup } from '../../infra/local/engines/elbv2/records.ts';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { addMachine } from './machine.ts';
import { create } from './steps.ts';
import { KEY, NAMESPACE, startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await create(world);
});
afterEach(() => world.close());

const only = <T>(items: Iterable<T>): T => {
  const [item, ...others] = items;
  if (!item || others.length > 0) throw new Error('there should be exactly one');
  return item;
};
const balancer = (): LoadBalancer => only(world.account.elbv2().loadBalancers.values());
const groups = (): TargetGroup[] => [...world.account.elbv2().targetGroups.values()];
const ports = () =>
  [...world.account.elbv2().listeners.values()].map(({ port, targetGroupArn }) => ({
    port,
    to: world.account
      .elbv2()
      .targetGroups.get(targetGroupArn)
      ?.name.replace(/-[^-]*$/, ''),
  }));
const members = () => groups().map(({ targets }) => [...targets.values()].map(({ instanceId }) => instanceId));

const change = async (spec: (spec: AWSCluster['spec']) => Partial<AWSCluster['spec']>) => {
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, ...spec(current.spec) },
  }));
};

describe('the load balancer of the API', () => {
  it('gets a listener with a target group and all machines when the spec adds one, and loses both when the spec removes it', async () => {
    const id = await addMachine(world);
    const controlPlaneLoadBalancer = (await world.awsCluster()).spec.controlPlaneLoadBalancer;
    await change(() => ({
      controlPlaneLoadBalancer: { ...controlPlaneLoadBalancer, additionalListeners: [{ port: 8132 }] },
    }));
    await create(world);
    expect(ports()).toEqual([
      { port: 6443, to: 'apiserver-target' },
      { port: 8132, to: 'additional-listener' },
    ]);
    expect(members()).toEqual([[id], [id]]);

    await change(() => ({ controlPlaneLoadBalancer }));
    await create(world);
    expect(ports()).toEqual([{ port: 6443, to: 'apiserver-target' }]);
    expect(groups()).toHaveLength(1);
  });

  it('gets changed attributes, health checks, security groups and tags from the spec', async () => {
    const vpcId = (await world.awsCluster()).spec.network?.vpc?.id ?? '';
    const extra = await world.ec2.createSecurityGroup({ vpcId, name: 'extra', description: 'extra', tags: {} });
    await change(({ controlPlaneLoadBalancer }) => ({
      additionalTags: { team: 'a' },
      controlPlaneLoadBalancer: {
        ...controlPlaneLoadBalancer,
        crossZoneLoadBalancing: true,
        preserveClientIP: true,
        healthCheck: { intervalSeconds: 20, timeoutSeconds: 10 },
        additionalSecurityGroups: [extra],
      },
    }));
    await create(world);
    const group = only(groups());
    expect(balancer().attributes.get('load_balancing.cross_zone.enabled')).toBe('true');
    expect(balancer().securityGroupIds).toContain(extra);
    expect(group.attributes.get('preserve_client_ip.enabled')).toBe('true');
    expect(group.healthCheck).toMatchObject({ intervalSeconds: 20, timeoutSeconds: 10, path: '/readyz' });
    expect([balancer().tags.get('team'), group.tags.get('team')]).toEqual(['a', 'a']);

    await change(() => ({ additionalTags: undefined }));
    await create(world);
    expect([balancer().tags.has('team'), group.tags.has('team')]).toEqual([false, false]);
  });

  it('gets all its subnets again after one was removed', async () => {
    const { subnets = [] } = (await world.awsCluster()).spec.network ?? {};
    const publics = subnets.filter(({ isPublic }) => isPublic).map(({ resourceID = '' }) => resourceID);
    const listed = (count: number) => publics.slice(0, count);
    const setSubnets = world.elbv2.setSubnets;
    await setSubnets(balancer().arn, listed(2));
    await create(world);

    expect(
      balancer()
        .subnets.map(({ subnetId }) => subnetId)
        .sort(),
    ).toEqual([...publics].sort());
  });
});

describe('the repair of a load balancer', () => {
  it('undoes outside changes: a changed listener, a deleted listener, and a deleted target group', async () => {
    const id = await addMachine(world);
    const { elbv2 } = world.clients;
    const [listener] = world.account.elbv2().listeners.values();
    const { TargetGroups = [] } = await elbv2.send(
      new CreateTargetGroupCommand({ Name: 'other', Protocol: 'TCP', Port: 6443, VpcId: balancer().vpcId }),
    );
    const other = TargetGroups[0]?.TargetGroupArn ?? '';
    const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn: other }];
    await elbv2.send(new ModifyListenerCommand({ ListenerArn: listener?.arn, DefaultActions }));
    await create(world);
    expect(ports()).toEqual([{ port: 6443, to: 'apiserver-target' }]);
    expect(groups().map(({ name }) => name)).toContain('other');

    await elbv2.send(new DeleteListenerCommand({ ListenerArn: listener?.arn }));
    await elbv2.send(new DeleteTargetGroupCommand({ TargetGroupArn: groups()[0]?.arn }));
    await elbv2.send(new DeleteTargetGroupCommand({ TargetGroupArn: other }));
    await create(world);
    expect(ports()).toEqual([{ port: 6443, to: 'apiserver-target' }]);
    expect(members()).toEqual([[id]]);
    const events = await world.objects.list(kinds.event, NAMESPACE);
    expect(events.map(({ reason }) => reason)).toContain('SuccessfulAttachControlPlaneELB');
  });

  it('does not register a machine that is being deleted', async () => {
    await addMachine(world);
    await world.objects.delete(kinds.machine, { namespace: NAMESPACE, name: 'm' });
    await create(world);

    expect(members()).toEqual([[]]);
  });
});
