import { AutoScalingClient, CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand, DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imagesOf } from '../../infra/local/engines/ec2/images/images.ts';
import type { RecordedCall } from '../../infra/local/recorded-call.ts';
import { startTestAws, type TestAws } from '../../infra/local/test-aws.ts';
import { roleOf } from './granted.ts';
import { judge } from './judge.ts';
import { launchedBy } from './launched.ts';
import { questionsOf } from './requests.ts';
import type { Role } from './roles.ts';
import { touchedBy } from './touched.ts';

const OWNER = 'sigs.k8s.io/cluster-api-provider-aws/cluster/one';
const TEMPLATE = { LaunchTemplateName: 'workers', Version: '$Latest' };
let test: TestAws;
let subnet: string;
let securityGroup: string;

const call = (operation: string, input: object, service = 'autoscaling'): RecordedCall => ({
  ...{ requestId: '1', functionName: 'f', accessKeyId: '000000000000', region: 'us-east-1' },
  ...{ service, operation, input: input as RecordedCall['input'] },
});
const asked = async (recorded: RecordedCall) => {
  const [touched, launches] = [touchedBy(test.account, recorded), launchedBy(test.account, recorded)];
  return questionsOf({ ...recorded, touched, launches });
};
const named = async (recorded: RecordedCall) =>
  (await asked(recorded)).map(({ action, resource }) => `${action} ${resource.split(':').at(-1)}`).toSorted();

beforeAll(async () => {
  test = await startTestAws();
  const ec2 = new EC2Client(test.direct);
  const { Subnets } = await ec2.send(new DescribeSubnetsCommand({}));
  subnet = Subnets?.[0]?.SubnetId ?? '';
  securityGroup = test.account.ec2().securityGroups.all()[0]?.id ?? '';
  const [ImageId = ''] = imagesOf('us-east-1').keys();
  await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: 'workers',
      TagSpecifications: [{ ResourceType: 'launch-template', Tags: [{ Key: OWNER, Value: 'owned' }] }],
      LaunchTemplateData: {
        ...{ ImageId, InstanceType: 't3.large', IamInstanceProfile: { Name: 'nodes' } },
        SecurityGroupIds: [securityGroup],
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: OWNER, Value: 'owned' }] }],
      },
    }),
  );
  await new AutoScalingClient(test.direct).send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: 'pool',
      ...{ MinSize: 0, MaxSize: 1, VPCZoneIdentifier: subnet, LaunchTemplate: TEMPLATE },
      Tags: [{ Key: OWNER, Value: 'owned' }],
    }),
  );
});
afterAll(() => test.aws.close());

describe('the permission checks of calls about groups', () => {
  it('include a launch from the template for a new group', async () => {
    const input = { AutoScalingGroupName: 'new', VPCZoneIdentifier: subnet, LaunchTemplate: TEMPLATE };
    const image = [...imagesOf('us-east-1').keys()][0];
    const template = test.account.ec2().launchTemplates.all()[0]?.id;
    expect(await named(call('CreateAutoScalingGroup', input))).toEqual(
      [
        'autoscaling:CreateAutoScalingGroup autoScalingGroupName/new',
        'ec2:CreateTags instance/new',
        `ec2:RunInstances image/${image}`,
        'ec2:RunInstances instance/new',
        `ec2:RunInstances launch-template/${template}`,
        'ec2:RunInstances network-interface/new',
        `ec2:RunInstances security-group/${securityGroup}`,
        `ec2:RunInstances subnet/${subnet}`,
        'ec2:RunInstances volume/new',
        'iam:CreateServiceLinkedRole role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling',
        'iam:PassRole role/nodes',
      ].toSorted(),
    );
  });

  it.each([
    ['SetDesiredCapacity', { AutoScalingGroupName: 'pool' }],
    ['PutLifecycleHook', { AutoScalingGroupName: 'pool' }],
    ['CreateOrUpdateTags', { Tags: [{ ResourceId: 'pool', Key: 'a', Value: 'b' }] }],
  ])('name the group with its tags for %s', async (operation, input) => {
    const [question, ...others] = await asked(call(operation, input));
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      action: `autoscaling:${operation}`,
      resource: test.account.autoscaling().groups.get('pool')?.arn,
      context: { [`aws:ResourceTag/${OWNER}`]: 'owned' },
    });
  });

  it('include passing the role by which a hook sends notifications, for a new hook and for a new group', async () => {
    const RoleARN = 'arn:aws:iam::000000000000:role/hooks.cluster-api-provider-aws.sigs.k8s.io';
    const hook = { LifecycleHookName: 'told', RoleARN };
    const recorded = [
      call('PutLifecycleHook', { AutoScalingGroupName: 'pool', ...hook }),
      call('CreateAutoScalingGroup', { AutoScalingGroupName: 'new', LifecycleHookSpecificationList: [hook] }),
    ];
    for (const one of recorded) {
      const passed = (await asked(one)).find(({ action }) => action === 'iam:PassRole');
      expect(passed).toMatchObject({ resource: RoleARN });
      if (passed) expect((await judge(roleOf('pool-group'), passed)).allowed, one.operation).toBe(true);
      const context = { 'iam:PassedToService': 'lambda.amazonaws.com' };
      if (passed) expect((await judge(roleOf('pool-group'), { ...passed, context })).allowed).toBe(false);
    }
  });

  it('include the launch for an instance refresh with a desired configuration', async () => {
    const input = { AutoScalingGroupName: 'pool', DesiredConfiguration: { LaunchTemplate: TEMPLATE } };
    expect(await named(call('StartInstanceRefresh', input))).toContain('iam:PassRole role/nodes');
  });

  it('name the template with its tags for a new version, even if the call gives only its name', async () => {
    const recorded = call('CreateLaunchTemplateVersion', { LaunchTemplateName: 'workers' }, 'ec2');
    expect(await asked(recorded)).toMatchObject([{ context: { [`aws:ResourceTag/${OWNER}`]: 'owned' } }]);
  });

  it('are decided by the tags that a policy requires', async () => {
    const statement = (Condition: unknown) => ({
      actions: ['autoscaling:SetDesiredCapacity'],
      resources: ['*'],
      document: { Effect: 'Allow', Action: ['autoscaling:SetDesiredCapacity'], Resource: ['*'], Condition },
    });
    const allowed = async (tag: string) => {
      const [question] = await asked(call('SetDesiredCapacity', { AutoScalingGroupName: 'pool' }));
      const statements = [statement({ StringEquals: { [`aws:ResourceTag/${tag}`]: 'owned' } })];
      const role: Role = { functionName: 'f', arn: 'arn:aws:iam::000000000000:role/f', statements };
      return question && (await judge(role, question)).allowed;
    };
    expect(await allowed(OWNER)).toBe(true);
    expect(await allowed('sigs.k8s.io/cluster-api-provider-aws/cluster/two')).toBe(false);
  });
});
