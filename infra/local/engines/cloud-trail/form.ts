/**
 * The forms in which CloudTrail records requests and responses. For most services, members are in camel case. For EC2,
 * they follow its XML: lists are `{ items: [...] }`, some under another name, and its newer actions are recorded as the
 * complete document, with the names of the query.
 */

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const entriesOf = (members: Members): [string, unknown][] =>
  Object.entries(members).filter(([name, value]) => value !== undefined && !name.startsWith('$'));

/** What CloudTrail records instead of sensitive values. */
const HIDDEN = '<sensitiveDataRemoved>';
const SENSITIVE = ['UserData'];

/** EC2's lists with another name in a trail, and the name of members that are not structures. */
const EC2_LISTS: Readonly<Record<string, { name: string; member?: string }>> = {
  Resources: { name: 'resourcesSet', member: 'resourceId' },
  Tags: { name: 'tagSet' },
  InstanceIds: { name: 'instancesSet', member: 'instanceId' },
  TagSpecifications: { name: 'tagSpecificationSet' },
  UserIdGroupPairs: { name: 'groups' },
  SecurityGroupRules: { name: 'securityGroupRuleSet' },
};

const singular = (name: string): string => camel(name).replace(/s$/, '');

const ec2List = (key: string, list: readonly unknown[]): [string, unknown] => {
  const { name = camel(key), member = singular(key) } = EC2_LISTS[key] ?? {};
  if (list.length === 0) return [name, {}];
  const items = list.map((one) => (isMembers(one) ? ec2Members(one) : { [member]: one }));
  return [name, { items }];
};

const ec2Member = ([key, value]: [string, unknown]): [string, unknown] => {
  if (SENSITIVE.includes(key)) return [camel(key), HIDDEN];
  if (Array.isArray(value)) return ec2List(key, value);
  return [key === 'Return' ? '_return' : camel(key), isMembers(value) ? ec2Members(value) : value];
};

const ec2Members = (members: Members): Members => Object.fromEntries(entriesOf(members).map(ec2Member));

const YOUNG =
  /^(Create|Delete|Modify)(NatGateway|VpcEndpoints?|EgressOnlyInternetGateway|CarrierGateway|LaunchTemplate|LaunchTemplateVersions?)$/;

const youngValue = (value: unknown): unknown => (isMembers(value) ? youngMembers(value) : value);

/** A list is recorded as numbered elements under the name of one element. */
const youngMembers = (members: Members): Members =>
  Object.fromEntries(
    entriesOf(members).map(([key, value]) => {
      if (SENSITIVE.includes(key)) return [key, HIDDEN];
      if (!Array.isArray(value)) return [key, youngValue(value)];
      const items = value.map((one, index) =>
        isMembers(one) ? { ...youngMembers(one), tag: index + 1 } : { content: one, tag: index + 1 },
      );
      return [key.replace(/s$/, ''), items.length === 1 ? items[0] : items];
    }),
  );

const plainValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainValue);
  return isMembers(value) ? plainMembers(value) : value;
};

const plainMembers = (members: Members): Members =>
  Object.fromEntries(
    entriesOf(members).map(([key, value]) => [camel(key), SENSITIVE.includes(key) ? HIDDEN : plainValue(value)]),
  );

/** `requestParameters` of a call; null if there are none. */
export const requestParameters = (service: string, operation: string, input: object): Members | null => {
  const members = input as Members;
  if (entriesOf(members).length === 0) return null;
  if (service !== 'ec2') return plainMembers(members);
  return YOUNG.test(operation) ? { [`${operation}Request`]: youngMembers(members) } : ec2Members(members);
};

/** `responseElements` of a mutating call; null if a service returns nothing. */
export const responseElements = (service: string, operation: string, output: object, requestId: string) => {
  const members = output as Members;
  const isEmpty = entriesOf(members).every(([name]) => name === 'Return');
  if (service !== 'ec2') return isEmpty ? null : plainMembers(members);
  if (YOUNG.test(operation)) return { [`${operation}Response`]: { ...plainMembers(members), requestId } };
  return isEmpty ? { requestId, _return: true } : { requestId, ...ec2Members(members) };
};
