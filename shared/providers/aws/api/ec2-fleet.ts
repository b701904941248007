import {
  type EC2Client,
  type Filter,
  type Instance,
  type InstanceStatusEvent,
  paginateDescribeInstanceStatus,
  paginateDescribeInstances,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../aws/pages.ts';
import type { ListedInstance } from '../plan/drift/difference.ts';
import type { ScheduledEvent } from '../plan/drift/maintenance.ts';
import { fromTagList, ownershipTag, ROLE_TAG } from '../tags.ts';

/** EC2's data about many instances. */
export interface Ec2Fleet {
  /**
   * Every instance in the region with the provider's role tag, by id. The tag's key is the same for all clusters. A
   * page has a thousand; terminated ones are included as long as EC2 lists them.
   */
  describeInstances(): Promise<ReadonlyMap<string, ListedInstance>>;
  /** The instances in the region with the tag of one of these clusters, and those of `ids`. */
  describeInstancesOf(
    clusters: readonly string[],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ListedInstance>>;
  /** The states of the first 200 of these instances that EC2 knows, by id. */
  statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** EC2's scheduled events for instances. A separate port, because only the sweep reads them. */
export interface Ec2Schedule {
  /** Future events by instance id, for the account's instances in the region. */
  scheduledEvents(): Promise<ReadonlyMap<string, readonly ScheduledEvent[]>>;
}

/** The maximum number of values in a filter. */
const MAX_VALUES = 200;

const describe = async (client: EC2Client, filter: Filter): Promise<Instance[]> => {
  const input = { Filters: [filter], MaxResults: 1000 };
  const reservations = await collectPages(paginateDescribeInstances({ client }, input), (page) => page.Reservations);
  return reservations.flatMap(({ Instances }) => Instances ?? []);
};

const optionsOf = ({ MetadataOptions = {} }: Instance): Record<string, string> =>
  Object.fromEntries(
    Object.entries(MetadataOptions).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

const interfacesOf = ({ NetworkInterfaces = [] }: Instance): NonNullable<ListedInstance['interfaces']> =>
  NetworkInterfaces.map(({ NetworkInterfaceId = '', Description = '', Groups = [] }) => ({
    id: NetworkInterfaceId,
    description: Description,
    groups: Groups.flatMap(({ GroupId }) => GroupId ?? []),
  }));

/** A volume that was attached later outlives the instance, and is not ours. */
const volumesOf = ({ BlockDeviceMappings = [] }: Instance): string[] =>
  BlockDeviceMappings.flatMap(({ Ebs }) => (Ebs?.VolumeId && Ebs.DeleteOnTermination ? [Ebs.VolumeId] : []));

const listed = (instance: Instance): [string, ListedInstance][] => {
  const { InstanceId, State, InstanceType, ImageId, Tags, LaunchTime, ClientToken } = instance;
  if (!InstanceId || !State?.Name) return [];
  const tags = fromTagList(Tags);
  const launchedAt = LaunchTime ? { launchedAt: LaunchTime.toISOString() } : {};
  const launch = { ...launchedAt, ...(ClientToken ? { clientToken: ClientToken } : {}) };
  const seen = { interfaces: interfacesOf(instance), volumes: volumesOf(instance), metadata: optionsOf(instance) };
  return [
    [
      InstanceId,
      {
        state: State.Name,
        type: InstanceType ?? '',
        ...(ImageId ? { imageId: ImageId } : {}),
        tags,
        ...launch,
        ...seen,
      },
    ],
  ];
};

const stateOf = ({ InstanceId, State }: Instance): [string, string][] =>
  InstanceId && State?.Name ? [[InstanceId, State.Name]] : [];

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MAX_VALUES) }, (_, index) =>
    all.slice(index * MAX_VALUES, (index + 1) * MAX_VALUES),
  );

/** The form that AWS uses: a filter with anything else may be refused. */
const INSTANCE_ID = /^i-[0-9a-f]{8,17}$/;

/** One list after the other, because each of them has separate pages. */
const listOf = async (
  client: EC2Client,
  name: string,
  values: readonly string[],
): Promise<[string, ListedInstance][]> => {
  const found: [string, ListedInstance][] = [];
  for (const Values of chunksOf(values))
    for (const instance of await describe(client, { Name: name, Values })) found.push(...listed(instance));
  return found;
};

/**
 * Reads instances by tag, and by id those that have lost their tag: an instance is not gone because its tag was
 * removed. No second call if all of `ids` are found by tag.
 */
const describeOf = async (
  client: EC2Client,
  clusters: readonly string[],
  ids: readonly string[],
): Promise<Map<string, ListedInstance>> => {
  const found = new Map(await listOf(client, 'tag-key', [...new Set(clusters)].map(ownershipTag)));
  const others = ids.filter((id) => INSTANCE_ID.test(id) && !found.has(id));
  return new Map([...found, ...(await listOf(client, 'instance-id', [...new Set(others)]))]);
};

/** The port, implemented with an SDK client. */
export const createEc2Fleet = (client: EC2Client): Ec2Fleet => ({
  describeInstancesOf: (clusters, ids) => describeOf(client, clusters, ids),
  describeInstances: async () =>
    new Map((await describe(client, { Name: 'tag-key', Values: [ROLE_TAG] })).flatMap(listed)),
  // A filter is used because EC2 refuses a complete list of ids if it does not know one of them.
  statesOf: async (ids) =>
    new Map((await describe(client, { Name: 'instance-id', Values: ids.slice(0, MAX_VALUES) })).flatMap(stateOf)),
});

const EVENT_CODES = ['instance-retirement', 'instance-stop', 'instance-reboot', 'system-reboot', 'system-maintenance'];

/** Events that are over are still listed for days, with a prefix that says so. */
const isOver = ({ Description = '' }: InstanceStatusEvent): boolean => /^\[(Completed|Canceled)\]/.test(Description);

const toScheduled = ({ InstanceEventId = '', Code, NotBefore }: InstanceStatusEvent): ScheduledEvent => ({
  id: InstanceEventId,
  code: Code ?? '',
  notBefore: NotBefore,
});

/**
 * The port, implemented with an SDK client. EC2 selects the instances that have events, so that a quiet account costs
 * one short page.
 */
export const createEc2Schedule = (client: EC2Client): Ec2Schedule => ({
  scheduledEvents: async () => {
    const input = {
      IncludeAllInstances: true,
      Filters: [{ Name: 'event.code', Values: EVENT_CODES }],
      MaxResults: 1000,
    };
    const pages = paginateDescribeInstanceStatus({ client }, input);
    const statuses = await collectPages(pages, (page) => page.InstanceStatuses);
    return new Map(
      statuses.map(({ InstanceId = '', Events = [] }) => [
        InstanceId,
        Events.filter((event) => !isOver(event)).map(toScheduled),
      ]),
    );
  },
});
