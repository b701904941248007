import {
  CreateRouteCommand,
  CreateTagsCommand,
  DeleteSubnetCommand,
  DeleteTagsCommand,
  DescribeInstanceStatusCommand,
  DescribeInstancesCommand,
  DescribeRouteTablesCommand,
  DescribeTagsCommand,
  type EC2Client,
  ModifyInstanceAttributeCommand,
  paginateDescribeInstances,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
  waitUntilInstanceRunning,
} from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type TestAws } from '../../../test-aws.ts';
import { instanceCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({ instanceStartMilliseconds: 300, instanceStopMilliseconds: 500 });
const { idsWith, instanceOf, run, runOne, subnetId } = instanceCalls(account);
let test: TestAws;
let ec2: EC2Client;
let SubnetId: string;
beforeEach(async () => {
  ({ test, ec2 } = account);
  SubnetId = await subnetId();
});

describe('an instance', () => {
  it('runs after the start time, which a waiter detects', async () => {
    const id = await runOne();
    test.clock.advance(300);

    const options = { client: ec2, maxWaitTime: 5, minDelay: 1, maxDelay: 1 };
    const { state } = await waitUntilInstanceRunning(options, { InstanceIds: [id] });
    const { InstanceStatuses } = await ec2.send(new DescribeInstanceStatusCommand({ InstanceIds: [id] }));

    expect(state).toBe('SUCCESS');
    expect(InstanceStatuses?.[0]?.InstanceStatus?.Status).toBe('ok');
  });

  it('is terminated permanently, loses its network interface and remains visible for an hour', async () => {
    const id = await runOne();
    test.clock.advance(300);
    const { TerminatingInstances } = await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));

    expect(TerminatingInstances?.[0]).toEqual({
      InstanceId: id,
      PreviousState: { Code: 16, Name: 'running' },
      CurrentState: { Code: 32, Name: 'shutting-down' },
    });
    expect(await codeOf(ec2.send(new DeleteSubnetCommand({ SubnetId })))).toBe('DependencyViolation');
    test.clock.advance(500);
    const gone = await instanceOf(id);
    expect(gone).toMatchObject({
      State: { Name: 'terminated' },
      StateReason: { Code: 'Client.UserInitiatedShutdown' },
      StateTransitionReason: 'User initiated (2026-11-20 10:00:00 GMT)',
      BlockDeviceMappings: [],
    });
    expect([gone?.PrivateIpAddress, gone?.SubnetId, gone?.VpcId]).toEqual([undefined, undefined, undefined]);
    expect(await idsWith('subnet-id', SubnetId)).toEqual([]);
    await ec2.send(new DeleteSubnetCommand({ SubnetId }));
    test.clock.advance(3_600_001);
    expect(await codeOf(instanceOf(id))).toBe('InvalidInstanceID.NotFound');
  });

  it('stops and starts, and keeps its address', async () => {
    const id = await runOne();
    test.clock.advance(300);
    await ec2.send(new StopInstancesCommand({ InstanceIds: [id] }));
    expect((await instanceOf(id))?.State?.Name).toBe('stopping');
    test.clock.advance(500);
    expect((await instanceOf(id))?.State?.Name).toBe('stopped');
    await ec2.send(new StartInstancesCommand({ InstanceIds: [id] }));
    expect((await instanceOf(id))?.State?.Name).toBe('pending');
    test.clock.advance(300);

    expect(await instanceOf(id)).toMatchObject({ State: { Name: 'running' }, PrivateIpAddress: '172.31.16.4' });
  });

  it('can be the target of a route, which is a black hole while the instance does not run', async () => {
    const id = await runOne();
    const { VpcId, NetworkInterfaces = [] } = (await instanceOf(id)) ?? {};
    const Filters = [{ Name: 'vpc-id', Values: [VpcId ?? ''] }];
    const tables = async () => (await ec2.send(new DescribeRouteTablesCommand({ Filters }))).RouteTables?.[0];
    const routeOf = async () =>
      (await tables())?.Routes?.find(({ DestinationCidrBlock }) => DestinationCidrBlock === '192.168.0.0/24');
    const RouteTableId = (await tables())?.RouteTableId;
    await ec2.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: '192.168.0.0/24', InstanceId: id }));
    expect((await routeOf())?.State).toBe('blackhole');
    test.clock.advance(300);

    expect(await routeOf()).toMatchObject({
      State: 'active',
      InstanceId: id,
      InstanceOwnerId: test.account.accountId,
      NetworkInterfaceId: NetworkInterfaces[0]?.NetworkInterfaceId,
    });
  });

  it('drops packets of others unless the source/destination check is off, which the interface shows, too', async () => {
    const id = await runOne();
    const checks = async () => {
      const { SourceDestCheck, NetworkInterfaces = [] } = (await instanceOf(id)) ?? {};
      return [SourceDestCheck, NetworkInterfaces[0]?.SourceDestCheck];
    };
    expect(await checks()).toEqual([true, true]);

    await ec2.send(new ModifyInstanceAttributeCommand({ InstanceId: id, SourceDestCheck: { Value: false } }));

    expect(await checks()).toEqual([false, false]);
  });

  it('is protected from termination if requested', async () => {
    const id = await runOne({ DisableApiTermination: true });
    const terminate = () => ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));

    expect(await codeOf(terminate())).toBe('OperationNotPermitted');
    const DisableApiTermination = { Value: false };
    await ec2.send(new ModifyInstanceAttributeCommand({ InstanceId: id, DisableApiTermination }));
    await terminate();
  });

  it('is not terminated if another id in the call is wrong', async () => {
    const id = await runOne();
    const InstanceIds = [id, 'i-0123456789abcdef0'];

    expect(await codeOf(ec2.send(new TerminateInstancesCommand({ InstanceIds })))).toBe('InvalidInstanceID.NotFound');
    expect((await instanceOf(id))?.State?.Name).toBe('pending');
  });
});

describe('a description', () => {
  it('filters by state, network and tags', async () => {
    const Tags = [{ Key: 'role', Value: 'node' }];
    const one = await runOne({ TagSpecifications: [{ ResourceType: 'instance', Tags }] });
    test.clock.advance(300);
    const two = await runOne();

    expect(await idsWith('instance-state-name', 'running')).toEqual([one]);
    expect(await idsWith('tag:role', 'no*')).toEqual([one]);
    expect(await idsWith('tag-key', 'role')).toEqual([one]);
    expect(await idsWith('private-ip-address', '172.31.16.5')).toEqual([two]);
    expect(await codeOf(idsWith('colour', 'red'))).toBe('InvalidParameterValue');
  });

  it('has pages that neither omit nor repeat an instance while others are removed', async () => {
    const ids = (await run({ MinCount: 12, MaxCount: 12 })).map(({ InstanceId }) => InstanceId);
    const seen: (string | undefined)[] = [];
    for await (const page of paginateDescribeInstances({ client: ec2, pageSize: 5 }, {})) {
      seen.push(...(page.Reservations ?? []).flatMap(({ Instances = [] }) => Instances.map((one) => one.InstanceId)));
      test.account.ec2().instances.remove(ids[4] ?? '');
    }

    expect(seen).toEqual(ids);
    expect(await codeOf(ec2.send(new DescribeInstancesCommand({ MaxResults: 2 })))).toBe('InvalidParameterValue');
  });

  it('may not include new resources while consistency is eventual', async () => {
    test.account.settings.consistencyMilliseconds = 1000;
    const id = await runOne();

    expect(await codeOf(instanceOf(id))).toBe('InvalidInstanceID.NotFound');
    expect(await codeOf(ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] })))).toBe(
      'InvalidInstanceID.NotFound',
    );
    test.clock.advance(1000);
    expect((await instanceOf(id))?.InstanceId).toBe(id);
  });

  it('includes the tags of any resource, which can be changed', async () => {
    const id = await runOne();
    const Resources = [id, SubnetId];
    const Tags = [
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ];
    await ec2.send(new CreateTagsCommand({ Resources, Tags }));
    await ec2.send(new DeleteTagsCommand({ Resources: [id], Tags: [{ Key: 'a', Value: 'other' }, { Key: 'b' }] }));

    const found = await ec2.send(new DescribeTagsCommand({ Filters: [{ Name: 'resource-id', Values: Resources }] }));

    expect(found.Tags?.map(({ ResourceType, Key, Value }) => `${ResourceType} ${Key}=${Value}`).sort()).toEqual([
      'instance a=1',
      'subnet a=1',
      'subnet b=2',
    ]);
    const many = Array.from({ length: 50 }, (_, index) => ({ Key: `k${index}`, Value: '' }));
    expect(await codeOf(ec2.send(new CreateTagsCommand({ Resources: [id], Tags: many })))).toBe('TagLimitExceeded');
    expect(await codeOf(ec2.send(new CreateTagsCommand({ Resources: ['x-1'], Tags })))).toBe('InvalidID');
  });
});
