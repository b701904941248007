import {
  AuthorizeSecurityGroupIngressCommand,
  CreateTagsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2Client, RegisterTargetsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestAws, type TestAws } from '../../test-aws.ts';
import type { BusEvent } from '../events/bus.ts';
import { requestParameters, responseElements } from './form.ts';

let aws: TestAws;
let ec2: EC2Client;
const events: BusEvent[] = [];

beforeAll(async () => {
  aws = await startTestAws({}, { hasTrail: true });
  aws.account.bus.listen((event) => events.push(event));
  ec2 = new EC2Client(aws.client);
});
afterAll(() => aws.aws.close());
beforeEach(() => {
  events.length = 0;
});

const defaultGroup = () => aws.account.ec2().securityGroups.all()[0]?.id ?? '';

it('reports modifying calls in the format of CloudTrail', async () => {
  const GroupId = defaultGroup();
  const rule = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
  await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [rule] }));
  expect(events).toEqual([
    expect.objectContaining({ source: 'aws.ec2', 'detail-type': 'AWS API Call via CloudTrail', region: 'us-east-1' }),
  ]);
  const items = [{ ipProtocol: 'tcp', fromPort: 22, toPort: 22, ipRanges: { items: [{ cidrIp: '0.0.0.0/0' }] } }];
  expect(events[0]?.detail).toMatchObject({
    eventSource: 'ec2.amazonaws.com',
    eventName: 'AuthorizeSecurityGroupIngress',
    awsRegion: 'us-east-1',
    eventType: 'AwsApiCall',
    readOnly: false,
    requestParameters: { groupId: GroupId, ipPermissions: { items } },
    responseElements: { _return: true },
    userIdentity: {
      type: 'AssumedRole',
      arn: 'arn:aws:sts::000000000000:assumed-role/WindlassAdmin/laptop',
      sessionContext: { sessionIssuer: { type: 'Role', userName: 'WindlassAdmin' } },
    },
  });
});

it('identifies a calling function by the name of its role', async () => {
  const client = new EC2Client({ ...aws.client, credentials: { accessKeyId: '000000000000', secretAccessKey: 'x' } });
  client.middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers['x-windlass-function'] = 'Windlass-drift';
      return next(args);
    },
    { step: 'build' },
  );
  await client.send(new CreateTagsCommand({ Resources: [defaultGroup()], Tags: [{ Key: 'a', Value: 'b' }] }));
  expect(events[0]?.detail).toMatchObject({
    requestParameters: {
      resourcesSet: { items: [{ resourceId: defaultGroup() }] },
      tagSet: { items: [{ key: 'a', value: 'b' }] },
    },
    userIdentity: { sessionContext: { sessionIssuer: { userName: 'Windlass-drift' } } },
  });
});

it('reports refused calls with their code, and omits calls that only read', async () => {
  await ec2.send(new DescribeVpcsCommand({}));
  const TargetGroupArn = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/none/0123456789abcdef';
  const registered = new ElasticLoadBalancingV2Client(aws.client).send(
    new RegisterTargetsCommand({ TargetGroupArn, Targets: [{ Id: 'i-1' }] }),
  );
  await expect(registered).rejects.toThrow();
  expect(events.map(({ source }) => source)).toEqual(['aws.elasticloadbalancing']);
  expect(events[0]?.detail).toMatchObject({
    errorCode: 'TargetGroupNotFound',
    requestParameters: { targetGroupArn: TargetGroupArn, targets: [{ id: 'i-1' }] },
    responseElements: null,
  });
});

it('writes newer EC2 actions as nested documents, and removes user data', () => {
  expect(requestParameters('ec2', 'DeleteVpcEndpoints', { VpcEndpointIds: ['vpce-1'] })).toEqual({
    DeleteVpcEndpointsRequest: { VpcEndpointId: { content: 'vpce-1', tag: 1 } },
  });
  const run = requestParameters('ec2', 'RunInstances', { ImageId: 'ami-1', UserData: 'c2VjcmV0' });
  expect(run).toEqual({ imageId: 'ami-1', userData: '<sensitiveDataRemoved>' });
  expect(responseElements('elasticloadbalancing', 'DeleteListener', {}, 'a request')).toBeNull();
});

it('removes the user data of launch templates from requests and responses', () => {
  const LaunchTemplateData = {
    ImageId: 'ami-1',
    UserData: 'c2VjcmV0',
    TagSpecifications: [{ ResourceType: 'instance' }],
  };
  const input = { LaunchTemplateName: 'workers', LaunchTemplateData };
  expect(requestParameters('ec2', 'CreateLaunchTemplateVersion', input)).toEqual({
    CreateLaunchTemplateVersionRequest: {
      LaunchTemplateName: 'workers',
      LaunchTemplateData: {
        ImageId: 'ami-1',
        UserData: '<sensitiveDataRemoved>',
        TagSpecification: { ResourceType: 'instance', tag: 1 },
      },
    },
  });
  const output = { LaunchTemplateVersion: { LaunchTemplateData } };
  const answer = JSON.stringify(responseElements('ec2', 'CreateLaunchTemplateVersion', output, 'r'));
  expect(answer).toContain('<sensitiveDataRemoved>');
  expect(answer).not.toContain('c2VjcmV0');
});
