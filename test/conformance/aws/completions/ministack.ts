/** The features that the suite adds to ministack. */
import { PUBLISHED, STUB } from '../images.ts';
import { valueIn } from '../raw.ts';
import { bodyOf, type Complete, type Completion, formOf, textOf } from './completion.ts';
import { DRY_RUN } from './dry-run.ts';

/** Stores the user data of each launch and returns it when the instance is described. */
const rememberUserData: Complete = (forward) => {
  const known = new Map<string, string>();
  return async (request) => {
    const form = formOf(request.body);
    const answer = await forward(request);
    const action = form.get('Action');
    if (action === 'RunInstances')
      for (const [, id] of textOf(answer.body).matchAll(/<instanceId>([^<]+)<\/instanceId>/g))
        known.set(id ?? '', form.get('UserData') ?? '');
    if (action !== 'DescribeInstanceAttribute' || form.get('Attribute') !== 'userData') return answer;
    const value = known.get(form.get('InstanceId') ?? '') ?? '';
    return {
      ...answer,
      body: textOf(answer.body).replace('<userData/>', `<userData><value>${value}</value></userData>`),
    };
  };
};

/**
 * Passes the subnet and the security groups of the only network interface as the equivalent parameters of the instance.
 */
const flattenInterface: Complete = (forward) => (request) => {
  const form = formOf(request.body);
  if (form.get('Action') !== 'RunInstances') return forward(request);
  const flat = new URLSearchParams();
  for (const [name, value] of form)
    flat.append(name.replace(/^NetworkInterface\.1\.(SubnetId$|SecurityGroupId\.)/, '$1'), value);
  return forward({ ...request, body: bodyOf(flat) });
};

/**
 * Adds the VPC of the first subnet to the request for a load balancer. The emulator expects it in a parameter that AWS
 * does not have.
 */
const nameVpc: Complete = (forward) => async (request) => {
  const form = formOf(request.body);
  if (form.get('Action') !== 'CreateLoadBalancer') return forward(request);
  const SubnetId = form.get('Subnets.member.1') ?? form.get('SubnetMappings.member.1.SubnetId') ?? '';
  const authorization = String(request.headers.authorization).replace('/elasticloadbalancing/', '/ec2/');
  const body = bodyOf({ Action: 'DescribeSubnets', Version: '2016-11-15', 'SubnetId.1': SubnetId });
  const subnet = await forward({ ...request, headers: { ...request.headers, authorization }, body });
  form.set('VpcId', valueIn(textOf(subnet.body), 'vpcId'));
  return forward({ ...request, body: bodyOf(form) });
};

const NO_CARRIER_GATEWAYS =
  '<DescribeCarrierGatewaysResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><carrierGatewaySet/></DescribeCarrierGatewaysResponse>';

/** Returns an empty list, because nothing can create a carrier gateway. */
const noCarrierGateways: Complete = (forward) => async (request) =>
  formOf(request.body).get('Action') === 'DescribeCarrierGateways'
    ? { status: 200, headers: { 'content-type': 'text/xml' }, body: NO_CARRIER_GATEWAYS }
    : forward(request);

/** Answers lookups of published images with an image that the emulator can launch, under the published name. */
const publishImages: Complete = (forward) => async (request) => {
  const form = formOf(request.body);
  if (form.get('Action') !== 'DescribeImages') return forward(request);
  const isSearch = form.has('Owner.1');
  const search = { Action: 'DescribeImages', Version: '2016-11-15', 'ImageId.1': STUB.id };
  const answer = await forward(isSearch ? { ...request, body: bodyOf(search) } : request);
  const body = textOf(answer.body).replaceAll(STUB.name, PUBLISHED.name).replaceAll(STUB.owner, PUBLISHED.owner_id);
  return { ...answer, body };
};

/** Reports the addresses of existing NAT gateways as associated. */
const associateAddresses: Complete = (forward) => {
  const addressOf = new Map<string, string>();
  return async (request) => {
    const form = formOf(request.body);
    const answer = await forward(request);
    const action = form.get('Action');
    const body = textOf(answer.body);
    if (action === 'CreateNatGateway') addressOf.set(valueIn(body, 'natGatewayId'), form.get('AllocationId') ?? '');
    if (action === 'DeleteNatGateway') addressOf.delete(form.get('NatGatewayId') ?? '');
    if (action !== 'DescribeAddresses') return answer;
    const associated = [...addressOf.values()].reduce(
      (text, id) =>
        text.replace(`<allocationId>${id}</allocationId>`, `$&<associationId>eipassoc-of-${id}</associationId>`),
      body,
    );
    return { ...answer, body: associated };
  };
};

export const MINISTACK: readonly Completion[] = [
  DRY_RUN,
  {
    gap: 'Return the user data of an instance (DescribeInstanceAttribute returns none)',
    instead: 'The suite remembers those of RunInstances',
    shownBy: 'the user data of an instance',
    service: 'ec2',
    complete: rememberUserData,
  },
  {
    gap: 'Launch with the subnet and the security groups of a network interface (they are ignored)',
    instead: 'The suite passes them as those of the instance',
    shownBy: 'subnet and groups of the network interface of a launch',
    service: 'ec2',
    complete: flattenInterface,
  },
  {
    gap: 'Return the VPC of a load balancer (it is always vpc-00000001)',
    instead: 'The suite uses that of its first subnet',
    shownBy: 'the VPC of a load balancer',
    service: 'elasticloadbalancing',
    complete: nameVpc,
  },
  {
    gap: 'List carrier gateways (DescribeCarrierGateways does not exist)',
    instead: 'The suite answers that there are none',
    shownBy: 'carrier gateways where there are none',
    service: 'ec2',
    complete: noCarrierGateways,
  },
  {
    gap: 'Show the images that the AWS provider publishes, or launch one that was registered without Docker',
    instead: 'The suite gives one of its own images their name and owner',
    shownBy: 'the images that the AWS provider publishes',
    service: 'ec2',
    complete: publishImages,
  },
  {
    gap: 'Show that a NAT gateway uses an address',
    instead: 'The suite remembers it',
    shownBy: 'the address of a NAT gateway',
    service: 'ec2',
    complete: associateAddresses,
  },
];
