import { DescribeDhcpOptionsCommand, DescribeVpcsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import type { Instance } from './ports.ts';

/** `local-hostname` of the instance metadata. */
export const localHostnameOf = ({ localHostname, privateDnsName }: Instance): string => localHostname ?? privateDnsName;

/** The first label of the host name, which Ubuntu makes the machine's own. */
export const shortHostnameOf = (instance: Instance): string => localHostnameOf(instance).split('.')[0] ?? '';

/** Undefined for a VPC without DHCP options: then the domain is EC2's own. Empty for options without a domain name. */
const domainOf = async (ec2: EC2Client, vpcId: string): Promise<string | undefined> => {
  const { Vpcs: [vpc] = [] } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [vpcId] }));
  if (!vpc?.DhcpOptionsId || vpc.DhcpOptionsId === 'default') return undefined;
  const command = new DescribeDhcpOptionsCommand({ DhcpOptionsIds: [vpc.DhcpOptionsId] });
  const { DhcpOptions: [options] = [] } = await ec2.send(command);
  const named = options?.DhcpConfigurations?.find(({ Key }) => Key === 'domain-name');
  return options && (named?.Values?.[0]?.Value ?? '');
};

/** Another endpoint may not know DHCP options, or may no longer have the VPC: machines still get their names. */
const domainIfKnown = (ec2: EC2Client, vpcId: string): Promise<string | undefined> =>
  domainOf(ec2, vpcId).catch(() => undefined);

const withDomain = (instance: Instance, domain: string | undefined): Instance => {
  if (domain === undefined) return instance;
  const [label = ''] = instance.privateDnsName.split('.');
  return { ...instance, localHostname: domain === '' ? label : `${label}.${domain}` };
};

type HostNames = (instances: readonly Instance[]) => Promise<Instance[]>;

/**
 * Gives instances the host names of their metadata, with the domain name in the DHCP options that their VPC has when an
 * instance is first seen.
 */
export const makeHostNames = (ec2: EC2Client): HostNames => {
  const domains = new Map<string, Promise<string | undefined>>();
  return async (instances) => {
    const asked = new Map<string, Promise<string | undefined>>();
    const domainFor = ({ id, vpcId }: Instance): Promise<string | undefined> => {
      const known = domains.get(id) ?? asked.get(vpcId) ?? domainIfKnown(ec2, vpcId);
      domains.set(id, known);
      asked.set(vpcId, known);
      return known;
    };
    for (const id of domains.keys()) if (!instances.some((one) => one.id === id)) domains.delete(id);
    return Promise.all(instances.map(async (one) => (one.vpcId === '' ? one : withDomain(one, await domainFor(one)))));
  };
};
