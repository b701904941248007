import { createServer as createHttpsServer, request } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { DescribeImagesCommand, DescribeSubnetsCommand, EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  type CreateTargetGroupCommandInput,
  DeleteLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../shared/clock.ts';
import { jsonLog } from '../../../../shared/log.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { PATIENCE } from '../../../../shared/test-patience.ts';
import { createAccount } from '../../account.ts';
import { type SimulatedAws, startAws } from '../../aws.ts';
import { createDataPlane, type DataPlaneRegistry } from './data-plane.ts';
import { bindingProblem } from './forwarding.ts';
import { fitsMatcher } from './probe.ts';
import { makeTestCertificate } from './test-certificate.ts';

it.each([
  [200, '200-399', true],
  [399, '200-399', true],
  [400, '200-399', false],
  [202, '200,202', true],
  [201, '200,202', false],
])('accepts the status %i for the matcher %s: %s', (status, matcher, fits) => {
  expect(fitsMatcher(status, matcher)).toBe(fits);
});

it('tells the user what to do if it cannot listen on an address', () => {
  expect(bindingProblem('127.1.2.3', 6443, 'EADDRNOTAVAIL')).toContain('sudo ifconfig lo0 alias 127.1.2.3 up');
  expect(bindingProblem('127.1.2.3', 6443, 'EADDRINUSE')).toContain('another program listens there');
});

// Only Linux answers on all of 127.0.0.0/8 without configuration.
describe.runIf(process.platform === 'linux')('a load balancer on the laptop', () => {
  const PORT = 6443;
  let aws: SimulatedAws;
  let ec2: EC2Client;
  let elb: ElasticLoadBalancingV2Client;
  let dataPlane: DataPlaneRegistry;
  let servers: Server[];
  let SubnetId: string;
  let VpcId: string;
  const lines: string[] = [];

  beforeEach(async () => {
    dataPlane = createDataPlane();
    servers = [];
    const settings = { instanceStartMilliseconds: 0, loadBalancerMilliseconds: 50, elbTimeScale: 0.01 };
    const account = createAccount({ clock: systemClock, random: systemRandom, settings });
    aws = await startAws({ account, dataPlane, log: jsonLog((line) => lines.push(line)) });
    const client = { endpoint: aws.url, region: 'us-east-1', credentials: account.credentials };
    ec2 = new EC2Client(client);
    elb = new ElasticLoadBalancingV2Client(client);
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    SubnetId = Subnets[0]?.SubnetId ?? '';
    VpcId = Subnets[0]?.VpcId ?? '';
  });
  afterEach(async () => {
    ec2.destroy();
    elb.destroy();
    for (const server of servers) server.close();
    await aws.close();
  });

  const runTwo = async (): Promise<[string, string]> => {
    const Filters = [
      { Name: 'name', Values: ['capa-ami-ubuntu-24.04-v1.34.0-*'] },
      { Name: 'architecture', Values: ['x86_64'] },
    ];
    const { Images = [] } = await ec2.send(new DescribeImagesCommand({ Filters }));
    const input = {
      ImageId: Images[0]?.ImageId,
      SubnetId,
      InstanceType: 't3.large',
      MinCount: 2,
      MaxCount: 2,
    } as const;
    const { Instances = [] } = await ec2.send(new RunInstancesCommand(input));
    return [Instances[0]?.InstanceId ?? '', Instances[1]?.InstanceId ?? ''];
  };

  const balance = async (ids: string[], health: Partial<CreateTargetGroupCommandInput> = {}) => {
    const times = { HealthCheckIntervalSeconds: 5, HealthCheckTimeoutSeconds: 5 };
    const check = { ...times, HealthyThresholdCount: 2, UnhealthyThresholdCount: 2, ...health };
    const group = new CreateTargetGroupCommand({ Name: 'group', Protocol: 'TCP', Port: PORT, VpcId, ...check });
    const TargetGroupArn = (await elb.send(group)).TargetGroups?.[0]?.TargetGroupArn ?? '';
    const balancer = new CreateLoadBalancerCommand({ Name: 'lb', Type: 'network', Subnets: [SubnetId] });
    const { LoadBalancerArn, DNSName = '' } = (await elb.send(balancer)).LoadBalancers?.[0] ?? {};
    const DefaultActions = [{ Type: 'forward', TargetGroupArn } as const];
    await elb.send(new CreateListenerCommand({ LoadBalancerArn, Protocol: 'TCP', Port: PORT, DefaultActions }));
    await elb.send(new RegisterTargetsCommand({ TargetGroupArn, Targets: ids.map((Id) => ({ Id })) }));
    const healths = async () => {
      const { TargetHealthDescriptions = [] } = await elb.send(new DescribeTargetHealthCommand({ TargetGroupArn }));
      return TargetHealthDescriptions.map(({ TargetHealth }) => TargetHealth?.State);
    };
    return { LoadBalancerArn, host: DNSName, healths };
  };

  /** A machine that answers every TCP connection with its name. */
  const serve = async (id: string, name: string): Promise<Server> => {
    const server = createServer((socket) => socket.on('error', () => {}).end(name));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    dataPlane.serve(id, PORT, { host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    return server;
  };

  const ask = (host: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ host, port: PORT });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });

  it('forwards to its healthy targets in turn', async () => {
    const [one, two] = await runTwo();
    await serve(one, 'one');
    const { host, healths } = await balance([one, two]);
    await vi.waitFor(async () => expect(await healths()).toEqual(['healthy', 'unhealthy']), PATIENCE);

    expect(new Set([await ask(host), await ask(host), await ask(host)])).toEqual(new Set(['one']));
    await serve(two, 'two');
    await vi.waitFor(async () => expect(await healths()).toEqual(['healthy', 'healthy']), PATIENCE);
    expect(new Set([await ask(host), await ask(host)])).toEqual(new Set(['one', 'two']));
  });

  it('forwards to all targets if none is healthy, and refuses connections after its deletion', async () => {
    const [one] = await runTwo();
    await serve(one, 'one');
    const { host, healths, LoadBalancerArn } = await balance([one], { HealthCheckPort: '9' });
    await vi.waitFor(async () => expect(await healths()).toEqual(['unhealthy']), PATIENCE);

    expect(await ask(host)).toBe('one');
    dataPlane.withdraw(one);
    expect(await ask(host)).toBe('ECONNRESET');
    await elb.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
    expect(await ask(host)).toBe('ECONNREFUSED');
  });

  it("checks a target's readiness over HTTPS, and forwards TLS", async () => {
    const [one] = await runTwo();
    const identity = await makeTestCertificate(systemClock.now());
    let status = 500;
    const machine = createHttpsServer(identity, ({ url }, response) => {
      response.writeHead(url === '/readyz' ? status : 200).end('hello');
    });
    servers.push(machine);
    await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
    dataPlane.serve(one, PORT, { host: '127.0.0.1', port: (machine.address() as AddressInfo).port });
    const { host, healths } = await balance([one], { HealthCheckProtocol: 'HTTPS', HealthCheckPath: '/readyz' });

    await vi.waitFor(async () => expect(await healths()).toEqual(['unhealthy']), PATIENCE);
    status = 200;
    await vi.waitFor(async () => expect(await healths()).toEqual(['healthy']), PATIENCE);
    const body = await new Promise<string>((resolve, reject) => {
      const call = request({
        host,
        port: PORT,
        path: '/',
        ca: identity.cert,
        servername: 'localhost',
        agent: false,
      });
      call.on('error', reject);
      call.on('response', (response) => response.on('data', (chunk) => resolve(String(chunk))));
      call.end();
    });
    expect(body).toBe('hello');
  });

  it('is failed, with the reason, while another program uses its port', async () => {
    const [one] = await runTwo();
    await serve(one, 'one');
    const probe = new CreateLoadBalancerCommand({ Name: 'lb', Type: 'network', Subnets: [SubnetId] });
    const host = (await elb.send(probe)).LoadBalancers?.[0]?.DNSName ?? '';
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(PORT, host, resolve));
    const state = async () => (await elb.send(new DescribeLoadBalancersCommand({}))).LoadBalancers?.[0]?.State;
    await balance([one]);

    await vi.waitFor(async () => expect(await state()).toMatchObject({ Code: 'failed' }), PATIENCE);
    expect((await state())?.Reason).toContain(`cannot listen on ${host}:${PORT} (EADDRINUSE)`);
    expect(lines.join()).toContain('a load balancer cannot listen');
    squatter.close();
    await vi.waitFor(async () => expect(await state()).toMatchObject({ Code: 'active' }), PATIENCE);
    expect(await ask(host)).toBe('one');
  });
});
