import { DescribeImagesCommand, DescribeSubnetsCommand, EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { CLOUD_INIT_PLACES } from '../../../shared/bootstrap/kubeadm/places.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { planDelivery } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { createAccount } from '../account.ts';
import { type SimulatedAws, startAws } from '../aws.ts';
import { createDataPlane } from '../engines/elbv2/data-plane.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { eventually } from './test-world.ts';

/** On AWS 300 seconds and 180: what a call of kubeadm waits for is shorter than a load balancer needs. */
const SERVING_MILLISECONDS = 4000;
const CALL_SECONDS = 1;
const NAME = 'demo-apiserver.elb.us-east-1.amazonaws.com';
const DONE = 'Your Kubernetes control-plane has initialized successfully!';
/** The first that calls the endpoint right after the machine's own API server answers. */
const KUBERNETES = 'v1.34.2';

// Only Linux answers on all of 127.0.0.0/8 without further ado.
describe.runIf(process.platform === 'linux')('the first machine behind a new load balancer', () => {
  const account = createAccount({
    clock,
    random,
    settings: {
      instanceStartMilliseconds: 0,
      consistencyMilliseconds: 0,
      loadBalancerMilliseconds: 0,
      targetServingMilliseconds: SERVING_MILLISECONDS,
    },
  });
  const dataPlane = createDataPlane();
  const stop = new AbortController();
  const names = new Map<string, string>();
  let aws: SimulatedAws;
  let fleet: Fleet;
  let following: Promise<void>;
  let ec2: EC2Client;
  let elb: ElasticLoadBalancingV2Client;
  let certificates: ClusterCertificates;
  let host: string;
  let targetGroup: string;

  beforeAll(async () => {
    aws = await startAws({ account, dataPlane });
    const options = { region: 'us-east-1', endpoint: aws.url, credentials: account.credentials };
    ec2 = new EC2Client(options);
    elb = new ElasticLoadBalancingV2Client(options);
    const stores = {
      secretsManager: new SecretsManagerClient(options),
      ssm: new SSMClient(options),
      s3: new S3Client(options),
    };
    const settings = { clock, random, dataPlane, names, bootMilliseconds: 0, log: silentLog, pollMilliseconds: 50 };
    fleet = createFleet({ ec2, ...stores, ...settings, retryMilliseconds: 25 });
    following = fleet.run(stop.signal);
    certificates = await generateClusterCertificates({ algorithm: 'ECDSA-P256', clock, random, keys: webCryptoKeys });
  });
  afterAll(async () => {
    stop.abort();
    await following;
    await fleet.close();
    await aws.close();
  });

  /** A load balancer of its own for each story, so that no target is old. */
  const balance = async (name: string): Promise<void> => {
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    const [{ SubnetId = '', VpcId = '' } = {}] = Subnets;
    const made = await elb.send(new CreateLoadBalancerCommand({ Name: name, Type: 'network', Subnets: [SubnetId] }));
    const times = { HealthCheckIntervalSeconds: 5, HealthCheckTimeoutSeconds: 4 };
    const check = { HealthCheckProtocol: 'HTTPS' as const, HealthCheckPath: '/readyz', ...times };
    const group = await elb.send(
      new CreateTargetGroupCommand({ Name: name, Protocol: 'TCP', Port: 6443, VpcId, ...check }),
    );
    host = made.LoadBalancers?.[0]?.DNSName ?? '';
    targetGroup = group.TargetGroups?.[0]?.TargetGroupArn ?? '';
    names.set(NAME, host);
    await elb.send(
      new CreateListenerCommand({
        LoadBalancerArn: made.LoadBalancers?.[0]?.LoadBalancerArn,
        Protocol: 'TCP',
        Port: 6443,
        DefaultActions: [{ Type: 'forward', TargetGroupArn: targetGroup }],
      }),
    );
  };

  /** Launches the first control plane machine and registers it immediately; `edit` changes its bootstrap data. */
  const launch = async (endpoint: string, edit = (body: string): string => body): Promise<string> => {
    const { body } = renderBootstrapData({
      role: 'init',
      cluster: { name: 'demo', endpoint: { host: endpoint, port: 6443 }, version: KUBERNETES },
      spec: { initConfiguration: { timeouts: { kubernetesAPICallSeconds: CALL_SECONDS } } },
      certificates,
      tokens: [],
    });
    const { userData } = planDelivery({
      body: edit(body),
      mode: 'plain',
      secretPrefix: '',
      region: 'us-east-1',
      compress: true,
    });
    const Filters = [{ Name: 'name', Values: [`capa-ami-ubuntu-24.04-${KUBERNETES}-*`] }];
    const { Images } = await ec2.send(new DescribeImagesCommand({ Filters }));
    const ImageId = Images?.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId;
    const place = { ImageId, InstanceType: 't3.large' as const, MinCount: 1, MaxCount: 1 };
    const { Instances } = await ec2.send(new RunInstancesCommand({ ...place, UserData: userData }));
    const id = Instances?.[0]?.InstanceId ?? '';
    const register = new RegisterTargetsCommand({ TargetGroupArn: targetGroup, Targets: [{ Id: id, Port: 6443 }] });
    await eventually(
      () => elb.send(register),
      () => 'the target cannot be registered',
    );
    return id;
  };
  const consoleOf = (id: string): string => fleet.console(id).join('\n');
  const until = (id: string, words: string): Promise<boolean> =>
    eventually(
      async () => consoleOf(id).includes(words),
      () => consoleOf(id),
    ) as Promise<boolean>;
  const reasonOf = async (): Promise<string | undefined> => {
    const { TargetHealthDescriptions } = await elb.send(
      new DescribeTargetHealthCommand({ TargetGroupArn: targetGroup }),
    );
    return TargetHealthDescriptions?.[0]?.TargetHealth?.Reason;
  };

  it('would fail with a single run of kubeadm', async () => {
    await balance('alone');
    const id = await launch(NAME, (body) => body.replace(`bash ${CLOUD_INIT_PLACES.script} kubeadm`, 'kubeadm'));

    await until(id, 'error execution phase upload-config');
    expect(await reasonOf()).toBe('Elb.RegistrationInProgress');
    await until(id, 'cloud-init: finished');
    expect(consoleOf(id)).not.toContain(DONE);
  });

  it('initializes with its own API server while the name of the endpoint cannot be reached', async () => {
    await balance('named');
    const id = await launch(NAME);

    await until(id, DONE);
    expect(await reasonOf()).toBe('Elb.RegistrationInProgress');
    expect(consoleOf(id)).not.toContain('error');
    await until(id, 'cloud-init: finished');
    expect(await reasonOf()).not.toBe('Elb.RegistrationInProgress');
  });

  it('retries until an endpoint that is an address answers', async () => {
    await balance('address');
    const id = await launch(host);

    await until(id, DONE);
    expect(consoleOf(id)).toContain('error execution phase upload-config');
  });
});
