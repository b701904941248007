import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { DescribeImagesCommand, DescribeSubnetsCommand, EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import {
  CreateLoadBalancerCommand,
  DeregisterInstancesFromLoadBalancerCommand,
  ElasticLoadBalancingClient,
  RegisterInstancesWithLoadBalancerCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../shared/clock.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { PATIENCE } from '../../../../shared/test-patience.ts';
import { createAccount } from '../../account.ts';
import { startAws } from '../../aws.ts';
import { createDataPlane } from '../elbv2/data-plane.ts';

/** The answer from the other end, or the code of the error that ends the connection. */
const hear = async (host: string, port: number): Promise<string> => {
  const socket = connect(port, host);
  // A reset may follow the answer.
  socket.on('error', () => {});
  try {
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'end')]);
    return String(data ?? 'nothing');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    socket.destroy();
  }
};

// Only Linux answers on all of 127.0.0.0/8 without configuration.
it.runIf(process.platform === 'linux')('forwards connections to the registered instances', async () => {
  const settings = { instanceStartMilliseconds: 0, elbTimeScale: 0.01 };
  const account = createAccount({ clock: systemClock, random: systemRandom, settings });
  const dataPlane = createDataPlane();
  const aws = await startAws({ account, dataPlane });
  const client = { endpoint: aws.url, region: 'us-east-1', credentials: account.credentials };
  const ec2 = new EC2Client(client);
  const elb = new ElasticLoadBalancingClient(client);
  const machine = createServer((socket) => socket.end('the machine'));
  await once(machine.listen(0, '127.0.0.1'), 'listening');

  const { Subnets: [subnet] = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const Filters = [{ Name: 'architecture', Values: ['x86_64'] }];
  const { Images: [image] = [] } = await ec2.send(new DescribeImagesCommand({ Filters }));
  const { Instances = [] } = await ec2.send(
    new RunInstancesCommand({
      ...{ ImageId: image?.ImageId, InstanceType: 't3.large', SubnetId: subnet?.SubnetId },
      ...{ MinCount: 1, MaxCount: 1 },
    }),
  );
  const InstanceId = Instances[0]?.InstanceId ?? '';
  dataPlane.serve(InstanceId, 6443, { host: '127.0.0.1', port: (machine.address() as AddressInfo).port });
  const registration = { LoadBalancerName: 'api', Instances: [{ InstanceId }] };
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 6443, InstancePort: 6443 }];
  const input = { LoadBalancerName: 'api', Listeners, Subnets: [subnet?.SubnetId ?? ''] };
  const { DNSName = '' } = await elb.send(new CreateLoadBalancerCommand(input));

  await expect.poll(() => hear(DNSName, 6443), PATIENCE).toBe('ECONNRESET');
  await expect
    .poll(
      () => elb.send(new RegisterInstancesWithLoadBalancerCommand(registration)).then(() => 'registered', String),
      PATIENCE,
    )
    .toBe('registered');
  await expect.poll(() => hear(DNSName, 6443), PATIENCE).toBe('the machine');
  await elb.send(new DeregisterInstancesFromLoadBalancerCommand(registration));
  expect(await hear(DNSName, 6443)).toBe('ECONNRESET');

  ec2.destroy();
  elb.destroy();
  machine.close();
  await aws.close();
});
