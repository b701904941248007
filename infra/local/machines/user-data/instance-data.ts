import { localHostnameOf, shortHostnameOf } from '../host-names.ts';
import type { Instance } from '../ports.ts';

const compact = (source: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));

/**
 * The variables of a `## template: jinja` part: cloud-init's instance data on EC2. Keys with a hyphen are available
 * with an underscore, and the keys of `v1` also at the top level. Source: cloud-init, "Instance metadata" (standardized
 * keys and aliases).
 */
export const instanceData = (instance: Instance): Record<string, unknown> => {
  const v1 = {
    availability_zone: instance.availabilityZone,
    cloud_id: 'aws',
    cloud_name: 'aws',
    distro: 'ubuntu',
    distro_release: 'noble',
    distro_version: '24.04',
    instance_id: instance.id,
    local_hostname: shortHostnameOf(instance),
    machine: 'x86_64',
    platform: 'ec2',
    region: instance.region,
    subplatform: 'metadata (http://169.254.169.254)',
    system_platform: 'linux',
  };
  const metaData = compact({
    ami_id: instance.imageId,
    hostname: localHostnameOf(instance),
    instance_id: instance.id,
    instance_type: instance.instanceType,
    local_hostname: localHostnameOf(instance),
    local_ipv4: instance.privateIp,
    placement: { availability_zone: instance.availabilityZone, region: instance.region },
    public_hostname: instance.publicDnsName,
    public_ipv4: instance.publicIp,
  });
  return { ...v1, v1, ds: { meta_data: metaData } };
};
