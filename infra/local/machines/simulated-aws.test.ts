import {
  DescribeImagesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { S3Client } from '@aws-sdk/client-s3';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParametersByPathCommand, SSMClient } from '@aws-sdk/client-ssm';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import { generateClusterCertificates } from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { issueKubeconfig } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { createBootstrapSecrets } from '../../../shared/providers/aws/api/bootstrap-secrets.ts';
import { type DeliveryMode, planDelivery } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { createAccount } from '../account.ts';
import { type SimulatedAws, startAws } from '../aws.ts';
import { createDataPlane } from '../engines/elbv2/data-plane.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { eventually } from './test-world.ts';

const TOKEN = 'aaaaaa.0123456789abcdef';

const OWNER = { cluster: { namespace: 'default', name: 'demo' }, machine: 'm', machineUid: 'uid-1' };

describe('machines behind the simulated AWS', () => {
  const account = createAccount({
    clock,
    random,
    settings: { instanceStartMilliseconds: 50, consistencyMilliseconds: 0 },
  });
  const dataPlane = createDataPlane();
  const stop = new AbortController();
  let aws: SimulatedAws;
  let fleet: Fleet;
  let following: Promise<void>;
  let ec2: EC2Client;
  let elb: ElasticLoadBalancingV2Client;
  let secretsManager: SecretsManagerClient;
  let ssm: SSMClient;

  beforeAll(async () => {
    aws = await startAws({ account, dataPlane });
    const options = { region: 'us-east-1', endpoint: aws.url, credentials: account.credentials };
    ec2 = new EC2Client(options);
    elb = new ElasticLoadBalancingV2Client(options);
    secretsManager = new SecretsManagerClient(options);
    ssm = new SSMClient(options);
    const settings = { clock, random, dataPlane, bootMilliseconds: 0, log: silentLog, pollMilliseconds: 50 };
    fleet = createFleet({ ec2, secretsManager, ssm, s3: new S3Client(options), ...settings, retryMilliseconds: 100 });
    following = fleet.run(stop.signal);
  });
  afterAll(async () => {
    stop.abort();
    await following;
    await fleet.close();
    await aws.close();
  });

  const run = async (body: string, mode: DeliveryMode, secretPrefix: string): Promise<string> => {
    const { userData, secrets } = planDelivery({ body, mode, secretPrefix, region: 'us-east-1' });
    const store = createBootstrapSecrets({ secretsManager, ssm });
    const token = random.uuid();
    for (const { name, data } of secrets) {
      const secret = { name, data, tags: { 'windlass.dev/machine-uid': OWNER.machineUid }, token, owner: OWNER };
      await store.create(secret);
      // A second run finds the results of the first.
      await store.create(secret);
    }
    const { Images } = await ec2.send(
      new DescribeImagesCommand({ Filters: [{ Name: 'name', Values: ['capa-ami-ubuntu-24.04-v1.34.0-*'] }] }),
    );
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ImageId: Images?.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId,
        InstanceType: 't3.large',
        MinCount: 1,
        MaxCount: 1,
        UserData: userData,
      }),
    );
    return Instances?.[0]?.InstanceId ?? '';
  };

  /** A network load balancer for the API; returns its host and target group. */
  const balance = async (): Promise<{ host: string; targetGroup: string }> => {
    const { Subnets } = await ec2.send(new DescribeSubnetsCommand({}));
    const { LoadBalancers } = await elb.send(
      new CreateLoadBalancerCommand({
        Name: 'demo-apiserver',
        Type: 'network',
        Subnets: (Subnets ?? []).slice(0, 1).map(({ SubnetId }) => SubnetId ?? ''),
      }),
    );
    const { TargetGroups } = await elb.send(
      new CreateTargetGroupCommand({
        Name: 'demo-apiserver',
        Protocol: 'TCP',
        Port: 6443,
        VpcId: Subnets?.[0]?.VpcId,
        HealthCheckProtocol: 'HTTPS',
        HealthCheckPath: '/readyz',
        HealthCheckIntervalSeconds: 5,
        HealthCheckTimeoutSeconds: 4,
      }),
    );
    const targetGroup = TargetGroups?.[0]?.TargetGroupArn ?? '';
    await elb.send(
      new CreateListenerCommand({
        LoadBalancerArn: LoadBalancers?.[0]?.LoadBalancerArn,
        Protocol: 'TCP',
        Port: 6443,
        DefaultActions: [{ Type: 'forward', TargetGroupArn: targetGroup }],
      }),
    );
    return { host: LoadBalancers?.[0]?.DNSName ?? '', targetGroup };
  };

  it('become nodes through the load balancer, and their secrets are deleted', async () => {
    const dependencies = { clock, random, keys: webCryptoKeys };
    const certificates = await generateClusterCertificates({ algorithm: 'ECDSA-P256', ...dependencies });
    const { host, targetGroup } = await balance();
    const cluster = { name: 'demo', endpoint: { host, port: 6443 }, version: 'v1.34.0' };
    const first = await run(
      renderBootstrapData({
        role: 'init',
        cluster,
        spec: {},
        certificates,
        tokens: [{ token: TOKEN, description: '' }],
      }).body,
      'secrets-manager',
      'aws.cluster.x-k8s.io/first',
    );
    await eventually(
      () => elb.send(new RegisterTargetsCommand({ TargetGroupArn: targetGroup, Targets: [{ Id: first, Port: 6443 }] })),
      () => 'the target cannot be registered',
    );
    const caCertificatePem = certificates.ca.certificatePem;
    const second = await run(
      renderBootstrapData({ role: 'worker', cluster, spec: {}, caCertificatePem, token: TOKEN }).body,
      'ssm-parameter-store',
      'aws.cluster.x-k8s.io/second',
    );

    const config = new KubeConfig();
    const server = `https://${host}:6443`;
    config.loadFromString(await issueKubeconfig({ clusterName: 'demo', server, ca: certificates.ca }, dependencies));
    const api = config.makeApiClient(CoreV1Api);
    const consoles = (): string => [first, second].map((id) => fleet.console(id).join('\n')).join('\n');
    // A kubelet registers its Node first, and reports its version with the status afterwards.
    const versions = await eventually(async () => {
      const { items } = await api.listNode();
      const said = items.flatMap(({ status }) => status?.nodeInfo?.kubeletVersion ?? []);
      return said.length === 2 && said;
    }, consoles);
    expect(versions).toEqual(['v1.34.0', 'v1.34.0']);
    expect((await secretsManager.send(new ListSecretsCommand({}))).SecretList).toEqual([]);
    expect(fleet.console(second).join('\n')).toContain('deleted /cluster.x-k8s.io/second/0');
    const parameters = new GetParametersByPathCommand({ Path: '/cluster.x-k8s.io', Recursive: true });
    expect((await ssm.send(parameters)).Parameters).toEqual([]);
    // What the machine has deleted stays deleted.
    await createBootstrapSecrets({ secretsManager, ssm }).delete('/cluster.x-k8s.io/second/0', OWNER);

    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [second] }));
    await eventually(async () => fleet.console(second).at(-1)?.includes('power off'), consoles);
  });
});
