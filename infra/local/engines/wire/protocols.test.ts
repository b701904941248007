import * as ec2 from '@aws-sdk/client-ec2';
import * as elb from '@aws-sdk/client-elastic-load-balancing-v2';
import * as lambda from '@aws-sdk/client-lambda';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as sfn from '@aws-sdk/client-sfn';
import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { beforeEach, describe, expect, it } from 'vitest';
import { AwsFault } from './fault.ts';
import type { WireServer } from './server.ts';
import { clientConfig, useTestWire } from './test-wire.ts';

const wire = useTestWire();
let server: WireServer;
let url: string;
let lines: string[];
beforeEach(() => {
  ({ server, url, lines } = wire);
});

const when = new Date('2026-11-20T10:00:00.123Z');
const awkward = 'a & <b> "c"\r\nä€𝄞';

describe('the EC2 query protocol', () => {
  it('carries all kinds of members in both directions', async () => {
    const input: ec2.RunInstancesCommandInput = {
      MinCount: 1,
      MaxCount: 2,
      ImageId: 'ami-1',
      InstanceType: 'm7i.large',
      EbsOptimized: true,
      DisableApiTermination: false,
      SecurityGroupIds: ['sg-1', 'sg-2'],
      TagSpecifications: [
        {
          ResourceType: 'instance',
          Tags: [
            { Key: 'Name', Value: awkward },
            { Key: 'k', Value: '' },
          ],
        },
      ],
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 20, Encrypted: true } }],
      InstanceMarketOptions: { MarketType: 'spot', SpotOptions: { ValidUntil: when } },
      NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-9'], PrivateIpAddresses: [{ PrivateIpAddress: '10.0.0.9' }] }],
      ClientToken: 'token',
    };
    const output: ec2.RunInstancesCommandOutput['Instances'] = [
      { InstanceId: 'i-1', LaunchTime: when, EbsOptimized: false, Tags: [{ Key: 'Name', Value: awkward }] },
    ];
    let seen: unknown;
    server.add<typeof ec2>(ec2.EC2Client, ec2, {
      RunInstances: (request) => {
        seen = request;
        return { ReservationId: 'r-1', Instances: output, Groups: [] };
      },
    });
    const client = new ec2.EC2Client(clientConfig(url));

    const answer = await client.send(new ec2.RunInstancesCommand(input));

    expect(seen).toEqual(input);
    expect(answer).toMatchObject({ ReservationId: 'r-1', Instances: output, Groups: [] });
    expect(answer.$metadata.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('names operations that are not simulated, or do not exist', async () => {
    server.add<typeof ec2>(ec2.EC2Client, ec2, {});
    const client = new ec2.EC2Client(clientConfig(url));

    await expect(client.send(new ec2.CreateFleetCommand({} as never))).rejects.toMatchObject({
      name: 'NotSimulated',
      message: expect.stringContaining('ec2:CreateFleet'),
    });
    expect(lines.join()).toContain('ec2:CreateFleet is not simulated');
    await expect(new sfn.SFNClient(clientConfig(url)).send(new sfn.ListStateMachinesCommand({}))).rejects.toMatchObject(
      {
        message: 'the service states is not simulated',
      },
    );
  });

  it('hides the details of a failure from the caller, and shows them in the log', async () => {
    server.add<typeof ec2>(ec2.EC2Client, ec2, {
      DescribeVpcs: () => {
        throw new TypeError('something inside');
      },
    });
    const call = new ec2.EC2Client(clientConfig(url)).send(new ec2.DescribeVpcsCommand({}));

    await expect(call).rejects.toMatchObject({
      name: 'InternalFailure',
      message: expect.not.stringContaining('inside'),
    });
    expect(lines.join()).toContain('TypeError: something inside');
  });

  it('creates the handlers of a region once', async () => {
    const asked: string[] = [];
    server.add<typeof ec2>(ec2.EC2Client, ec2, (region) => {
      asked.push(region);
      return { DescribeVpcs: () => ({ Vpcs: [] }) };
    });
    for (const region of ['us-east-1', 'eu-west-1', 'us-east-1'])
      await new ec2.EC2Client({ ...clientConfig(url), region }).send(new ec2.DescribeVpcsCommand({}));

    expect(asked).toEqual(['us-east-1', 'eu-west-1']);
  });
});

describe('the AWS query protocol', () => {
  it('carries nested lists and modelled errors', async () => {
    const rule: elb.CreateRuleCommandInput = {
      ListenerArn: 'l',
      Priority: 10,
      Conditions: [{ Field: 'host-header', HostHeaderConfig: { Values: ['a.b', 'c.d'] } }],
      Actions: [{ Type: 'forward', ForwardConfig: { TargetGroups: [{ TargetGroupArn: 't', Weight: 1 }] } }],
    };
    let seen: unknown;
    server.add<typeof elb>(elb.ElasticLoadBalancingV2Client, elb, {
      CreateRule: (input) => {
        seen = input;
        return {
          Rules: [{ RuleArn: awkward, Conditions: input.Conditions, Actions: input.Actions, IsDefault: false }],
        };
      },
      RegisterTargets: () => ({}),
      DescribeTargetHealth: () => {
        throw new AwsFault('TargetGroupNotFound', 'One or more target groups not found');
      },
    });
    const client = new elb.ElasticLoadBalancingV2Client(clientConfig(url));

    const answer = await client.send(new elb.CreateRuleCommand(rule));
    await client.send(new elb.RegisterTargetsCommand({ TargetGroupArn: 't', Targets: [{ Id: 'i-1' }] }));

    expect(seen).toEqual(rule);
    expect(answer.Rules).toEqual([
      { RuleArn: awkward, Conditions: rule.Conditions, Actions: rule.Actions, IsDefault: false },
    ]);
    const health = client.send(new elb.DescribeTargetHealthCommand({ TargetGroupArn: 't' }));
    await expect(health).rejects.toBeInstanceOf(elb.TargetGroupNotFoundException);
  });
});

describe('the AWS JSON protocol', () => {
  it('carries blobs, timestamps, maps and modelled errors', async () => {
    const binary = new Uint8Array([0, 1, 254, 255]);
    server.add<typeof secrets>(secrets.SecretsManagerClient, secrets, {
      GetSecretValue: ({ SecretId }) => {
        if (SecretId !== 'here') throw new AwsFault('ResourceNotFoundException', 'not here');
        return { SecretBinary: binary, CreatedDate: when };
      },
      DescribeSecret: () => ({ VersionIdsToStages: { one: ['AWSCURRENT'] } }),
    });
    const client = new secrets.SecretsManagerClient(clientConfig(url));

    const value = await client.send(new secrets.GetSecretValueCommand({ SecretId: 'here' }));
    const about = await client.send(new secrets.DescribeSecretCommand({ SecretId: 'here' }));

    expect([...(value.SecretBinary ?? [])]).toEqual([...binary]);
    expect(value.CreatedDate).toEqual(when);
    expect(about.VersionIdsToStages).toEqual({ one: ['AWSCURRENT'] });
    const missing = client.send(new secrets.GetSecretValueCommand({ SecretId: 'there' }));
    await expect(missing).rejects.toBeInstanceOf(secrets.ResourceNotFoundException);
  });

  it('allows a handler to throw exceptions of the SDK package', async () => {
    server.add<typeof sfn>(sfn.SFNClient, sfn, {
      StartExecution: ({ name, stateMachineArn }) => {
        if (name === 'twice') throw new sfn.ExecutionAlreadyExists({ message: 'exists', $metadata: {} });
        return { executionArn: `${stateMachineArn}:${name}`, startDate: when };
      },
    });
    const client = new sfn.SFNClient(clientConfig(url));
    const start = (name: string) =>
      client.send(new sfn.StartExecutionCommand({ stateMachineArn: 'arn', name, input: '{}' }));

    expect(await start('once')).toMatchObject({ executionArn: 'arn:once', startDate: when });
    await expect(start('twice')).rejects.toBeInstanceOf(sfn.ExecutionAlreadyExists);
  });
});

describe('the REST JSON protocol', () => {
  it('carries labels, queries, bodies and modelled errors', async () => {
    const schedule: scheduler.CreateScheduleCommandInput = {
      Name: 'a b/c',
      GroupName: 'g',
      ScheduleExpression: 'rate(5 minutes)',
      StartDate: new Date('2026-11-20T10:00:00Z'),
      FlexibleTimeWindow: { Mode: 'OFF' },
      ClientToken: 'c',
      Target: { Arn: 'arn:f', RoleArn: 'arn:r', RetryPolicy: { MaximumRetryAttempts: 3 } },
    };
    const seen: unknown[] = [];
    server.add<typeof scheduler>(scheduler.SchedulerClient, scheduler, {
      CreateSchedule: (input) => {
        seen.push(input);
        return { ScheduleArn: `arn/${input.Name}` };
      },
      GetSchedule: ({ Name }) => {
        throw new AwsFault('ResourceNotFoundException', `Schedule ${Name} does not exist.`, 404);
      },
      ListSchedules: (input) => {
        seen.push(input);
        return { Schedules: [] };
      },
    });
    const client = new scheduler.SchedulerClient(clientConfig(url));

    const made = await client.send(new scheduler.CreateScheduleCommand(schedule));
    await client.send(new scheduler.ListSchedulesCommand({ MaxResults: 5, State: 'ENABLED' }));

    expect(made.ScheduleArn).toBe('arn/a b/c');
    expect(seen).toEqual([schedule, { MaxResults: 5, State: 'ENABLED' }]);
    const missing = client.send(new scheduler.GetScheduleCommand({ Name: 'x' }));
    await expect(missing).rejects.toBeInstanceOf(scheduler.ResourceNotFoundException);
  });

  it('carries payloads, headers and status codes', async () => {
    const reversed = (payload: lambda.InvokeCommandInput['Payload']) =>
      Uint8ArrayBlobAdapter.mutate(Uint8Array.from(payload as Uint8Array).reverse());
    server.add<typeof lambda>(lambda.LambdaClient, lambda, {
      Invoke: ({ FunctionName, InvocationType, Payload }) => ({
        StatusCode: InvocationType === 'Event' ? 202 : 200,
        FunctionError: FunctionName === 'bad' ? 'Unhandled' : undefined,
        Payload: reversed(Payload),
      }),
    });
    const client = new lambda.LambdaClient(clientConfig(url));
    const invoke = (FunctionName: string, InvocationType: lambda.InvocationType) =>
      client.send(new lambda.InvokeCommand({ FunctionName, InvocationType, Payload: Buffer.from('abc') }));

    const answer = await invoke('good', 'RequestResponse');

    expect(Buffer.from(answer.Payload ?? []).toString()).toBe('cba');
    expect(await invoke('bad', 'Event')).toMatchObject({ StatusCode: 202, FunctionError: 'Unhandled' });
  });
});
