import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters } from '../filters.ts';
import { describe, pageOf } from '../pages.ts';
import type { Instance } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { maintenanceView } from './maintenance.ts';
import { runInstances } from './run-instances.ts';
import { instanceFields, instanceView, lifeOf, stateView } from './view.ts';

const reservationView = (ec2: Ec2, reservationId: string, instances: readonly Instance[]): sdk.Reservation => ({
  ReservationId: reservationId,
  OwnerId: ec2.place.accountId,
  Groups: [],
  Instances: instances.map((instance) => instanceView(ec2, instance)),
});

const statusView = (ec2: Ec2, instance: Instance): sdk.InstanceStatus => {
  const life = lifeOf(ec2, instance);
  const summary = (): sdk.InstanceStatusSummary =>
    life === 'running'
      ? { Status: 'ok', Details: [{ Name: 'reachability', Status: 'passed' }] }
      : { Status: 'not-applicable', Details: [] };
  return {
    InstanceId: instance.id,
    AvailabilityZone: instance.zone,
    InstanceState: stateView(life),
    InstanceStatus: summary(),
    SystemStatus: summary(),
    Events: maintenanceView(instance),
  };
};

const attributeView = (
  instance: Instance,
  attribute: sdk.InstanceAttributeName | undefined,
): Partial<sdk.InstanceAttribute> => {
  switch (attribute) {
    case 'userData':
      return { UserData: instance.userData === undefined ? {} : { Value: instance.userData } };
    case 'instanceType':
      return { InstanceType: { Value: instance.instanceType } };
    case 'disableApiTermination':
      return { DisableApiTermination: { Value: instance.terminationProtected } };
    case 'sourceDestCheck':
      return { SourceDestCheck: { Value: instance.sourceDestCheck } };
    case 'rootDeviceName':
      return { RootDeviceName: { Value: instance.rootDevice } };
    case 'ebsOptimized':
      return { EbsOptimized: { Value: instance.ebsOptimized } };
    default:
      throw new AwsFault('NotSimulated', `the instance attribute ${attribute} is not simulated`, 501);
  }
};

const modify = (ec2: Ec2, input: sdk.ModifyInstanceAttributeRequest): void => {
  const known = ['InstanceId', 'DisableApiTermination', 'SourceDestCheck', 'Groups', 'UserData'];
  onlySimulated('ec2:ModifyInstanceAttribute', input, known);
  const instance = ec2.instances.get(input.InstanceId);
  if (input.UserData && lifeOf(ec2, instance) !== 'stopped')
    throw new AwsFault('IncorrectInstanceState', `The instance '${instance.id}' is not in the 'stopped' state.`);
  const groupIds = input.Groups?.map((id) => ec2.securityGroups.get(id).id);
  const row = ec2.networkInterfaces.find(instance.interfaceId);
  if (row && groupIds?.length) row.groupIds = groupIds;
  instance.terminationProtected = input.DisableApiTermination?.Value ?? instance.terminationProtected;
  instance.sourceDestCheck = input.SourceDestCheck?.Value ?? instance.sourceDestCheck;
  if (input.UserData?.Value) instance.userData = Buffer.from(input.UserData.Value).toString('base64');
};

const METADATA = [
  'HttpEndpoint',
  'HttpProtocolIpv6',
  'HttpPutResponseHopLimit',
  'HttpTokens',
  'InstanceMetadataTags',
] as const;

const modifyMetadata = (ec2: Ec2, input: sdk.ModifyInstanceMetadataOptionsRequest) => {
  onlySimulated('ec2:ModifyInstanceMetadataOptions', input, ['InstanceId', ...METADATA]);
  const instance = ec2.instances.get(input.InstanceId);
  const changes = METADATA.filter((name) => input[name] !== undefined).map((name) => [name, input[name]] as const);
  if (changes.length === 0)
    throw new AwsFault('MissingParameter', 'The request must contain at least one metadata option to change.');
  instance.metadataOptions = { ...instance.metadataOptions, ...Object.fromEntries(changes) };
  return { InstanceId: instance.id, InstanceMetadataOptions: instance.metadataOptions };
};

const describeInstances = (ec2: Ec2, input: sdk.DescribeInstancesRequest): sdk.DescribeInstancesResult => {
  const { InstanceIds, Filters, MaxResults, NextToken } = input;
  const question = { ids: InstanceIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
  const { rows, nextToken } = describe(ec2.instances, question, instanceFields(ec2));
  const reservations = Map.groupBy(rows, ({ reservationId }) => reservationId);
  return {
    Reservations: [...reservations].map(([id, instances]) => reservationView(ec2, id, instances)),
    NextToken: nextToken,
  };
};

/** Instances: launches, descriptions and changes of attributes. */
export const instanceActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  RunInstances: (input) => {
    const instances = runInstances(ec2, input);
    return reservationView(ec2, instances[0]?.reservationId ?? '', instances);
  },
  DescribeInstances: (input) => describeInstances(ec2, input),
  DescribeInstanceStatus: ({ InstanceIds, Filters, IncludeAllInstances, MaxResults, NextToken }) => {
    const fields = { ...instanceFields(ec2), 'event.code': ({ maintenance }: Instance) => maintenance?.code };
    const rows = applyFilters(ec2.instances.seen(InstanceIds), Filters, fields);
    const shown = rows.filter((instance) => IncludeAllInstances || lifeOf(ec2, instance) === 'running');
    const page = pageOf(shown, { maxResults: MaxResults, nextToken: NextToken });
    return { InstanceStatuses: page.rows.map((row) => statusView(ec2, row)), NextToken: page.nextToken };
  },
  DescribeInstanceAttribute: ({ InstanceId, Attribute }) => {
    const instance = ec2.instances.get(InstanceId);
    return { InstanceId: instance.id, ...attributeView(instance, Attribute) };
  },
  ModifyInstanceMetadataOptions: (input) => modifyMetadata(ec2, input),
  ModifyInstanceAttribute: (input) => {
    modify(ec2, input);
    return {};
  },
});
