import type { EC2Client } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { makeCloud } from './aws-cloud.ts';

const instance = (id: string, state: string, address?: string) => ({
  InstanceId: id,
  ImageId: 'ami-1',
  InstanceType: 't3.large',
  PrivateIpAddress: address,
  Placement: { AvailabilityZone: 'us-west-2b' },
  State: { Name: state },
});

/** An EC2 that answers each command by its name. */
const ec2With = (answers: Record<string, (input: Record<string, unknown>) => unknown>): EC2Client => {
  const send = async (command: { constructor: { name: string }; input: Record<string, unknown> }) =>
    answers[command.constructor.name]?.(command.input);
  return { send } as unknown as EC2Client;
};

describe('makeCloud', () => {
  it('reads all pages of instances, whatever their state', async () => {
    const pages: Record<string, unknown> = {
      first: { Reservations: [{ Instances: [instance('i-1', 'running', '10.0.0.1')] }], NextToken: 'more' },
      more: { Reservations: [{ Instances: [instance('i-2', 'terminated')] }] },
    };
    const cloud = makeCloud(
      ec2With({ DescribeInstancesCommand: ({ NextToken }) => pages[String(NextToken ?? 'first')] }),
    );
    const found = await cloud.instances();
    expect(found.map(({ instance: { id }, state }) => `${id} ${state}`)).toEqual(['i-1 running', 'i-2 terminated']);
    expect(found[0]?.instance).toMatchObject({
      region: 'us-west-2',
      privateDnsName: 'ip-10-0-0-1.us-west-2.compute.internal',
    });
  });

  it('gives instances the host names that result from the DHCP options of their VPC', async () => {
    const options: Record<string, unknown> = {
      'dopt-own': [{ Key: 'domain-name', Values: [{ Value: 'corp.example' }] }],
      'dopt-none': [{ Key: 'domain-name-servers', Values: [{ Value: 'AmazonProvidedDNS' }] }],
    };
    const vpcs = ['default', 'dopt-own', 'dopt-none'];
    const calls: string[] = [];
    const cloud = makeCloud(
      ec2With({
        DescribeInstancesCommand: () => ({
          Reservations: [
            { Instances: vpcs.map((VpcId, at) => ({ ...instance(`i-${at}`, 'running', `10.0.0.${at}`), VpcId })) },
          ],
        }),
        DescribeVpcsCommand: ({ VpcIds }) => {
          calls.push(String(VpcIds));
          return { Vpcs: [{ DhcpOptionsId: String(VpcIds) }] };
        },
        DescribeDhcpOptionsCommand: ({ DhcpOptionsIds }) => ({
          DhcpOptions: [{ DhcpConfigurations: options[String(DhcpOptionsIds)] }],
        }),
      }),
    );
    for (const _ of [1, 2])
      expect((await cloud.instances()).map(({ instance: { localHostname } }) => localHostname)).toEqual([
        undefined,
        'ip-10-0-0-1.corp.example',
        'ip-10-0-0-2',
      ]);
    expect(calls).toEqual(vpcs);
  });

  it('treats an image that no longer exists as one without a name', async () => {
    const gone = Object.assign(new Error('gone'), { name: 'InvalidAMIID.NotFound' });
    const cloud = makeCloud(ec2With({ DescribeImagesCommand: () => Promise.reject(gone) }));
    expect(await cloud.imageName('ami-1')).toBeUndefined();
  });

  it('returns nothing for an instance without user data', async () => {
    const cloud = makeCloud(ec2With({ DescribeInstanceAttributeCommand: () => ({ UserData: {} }) }));
    expect(await cloud.userData('i-1')).toBeUndefined();
  });
});
