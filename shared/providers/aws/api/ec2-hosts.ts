import { AllocateHostsCommand, type EC2Client, paginateDescribeHosts, ReleaseHostsCommand } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { HeldHost } from '../plan/launch/host.ts';
import { MACHINE_UID_TAG } from '../plan/launch/request.ts';
import { isMachines, type MachineIdentity } from '../plan/ownership/instance.ts';
import { fromTagList, type Tags, toTagList } from '../tags.ts';

/** Dedicated Hosts that are allocated for machines. */
export interface Ec2Hosts {
  /** The hosts whose tags name the machine and that have not been released. */
  heldHosts(owner: MachineIdentity): Promise<HeldHost[]>;
  /** Allocates one host. The same token gives the same host. */
  allocateHost(input: { instanceType: string; zone: string; clientToken: string; tags: Tags }): Promise<string>;
  /** Why it could not be released; undefined if it was released. */
  releaseHost(hostId: string): Promise<string | undefined>;
}

const GONE = new Set<string | undefined>(['released', 'released-permanent-failure']);

/** The port, implemented with an SDK client. */
export const createEc2Hosts = (client: EC2Client): Ec2Hosts => ({
  heldHosts: async (owner) => {
    // DescribeHosts has no filter for the values of tags.
    const Filter = [{ Name: 'tag-key', Values: [MACHINE_UID_TAG] }];
    const hosts = await collectPages(paginateDescribeHosts({ client }, { Filter }), ({ Hosts }) => Hosts);
    return hosts.flatMap(({ HostId, State, AvailabilityZone = '', HostProperties, Tags }) =>
      HostId && !GONE.has(State) && isMachines({ tags: fromTagList(Tags) }, owner)
        ? [{ id: HostId, state: State ?? '', zone: AvailabilityZone, instanceType: HostProperties?.InstanceType ?? '' }]
        : [],
    );
  },
  allocateHost: async ({ instanceType, zone, clientToken, tags }) => {
    const command = new AllocateHostsCommand({
      InstanceType: instanceType,
      AvailabilityZone: zone,
      Quantity: 1,
      // No other instance may be placed on it.
      AutoPlacement: 'off',
      ClientToken: clientToken,
      TagSpecifications: [{ ResourceType: 'dedicated-host', Tags: toTagList(tags) }],
    });
    const [id] = (await client.send(command)).HostIds ?? [];
    if (id === undefined) throw new Error('EC2 answered AllocateHosts without an id');
    return id;
  },
  releaseHost: async (hostId) => {
    const { Unsuccessful = [] } = await client.send(new ReleaseHostsCommand({ HostIds: [hostId] }));
    const [refused] = Unsuccessful;
    return refused && `${refused.Error?.Code ?? 'unknown'}: ${refused.Error?.Message ?? 'no reason was given'}`;
  },
});
