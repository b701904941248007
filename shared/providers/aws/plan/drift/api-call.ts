import * as z from 'zod';
import type { AWSCluster, AWSClusterRoleIdentity } from '../../../../kinds/index.ts';
import { roleNamed, sessionNameOf } from '../identity/role-request.ts';

/** The detail-type of the events with which CloudTrail reports calls to EventBridge. */
export const API_CALL = 'AWS API Call via CloudTrail';

const schema = z.object({
  'detail-type': z.literal(API_CALL),
  detail: z.object({
    eventName: z.string(),
    errorCode: z.string().optional(),
    requestParameters: z.unknown().optional(),
    responseElements: z.unknown().optional(),
    userIdentity: z.object({ arn: z.string().optional(), accessKeyId: z.string().optional() }).optional(),
  }),
});

/** Ids of network resources. */
const IDS = /\b(?:vpc|subnet|igw|eigw|rtb|nat|sg|eipalloc|vpce)-[0-9a-f]{8,17}\b/g;
/** Names in the ARNs of load balancers, listeners and target groups. */
const ARN_NAMES = /:(?:loadbalancer\/net|listener\/net|targetgroup)\/([\w-]+)\//g;
/** Names of classic load balancers, in any field. */
const CLASSIC_NAMES = /"loadBalancerNames?":\s*\[?"([\w-]+)"/g;

/** An API call, with all names of resources that clusters may own. */
export interface ApiCall {
  name: string;
  resources: readonly string[];
  /** The ARN of the caller. If it has assumed a role, this is the ARN of the session. */
  caller?: string;
  /** The key with which the call was signed. */
  accessKeyId?: string;
}

const SESSION = /:sts::(\d{12}):assumed-role\/([^/]+)\/(.+)$/;

/** Undefined for other events. A call that AWS has refused has changed nothing, so it names nothing. */
export const readApiCall = (event: unknown): ApiCall | undefined => {
  const { data } = schema.safeParse(event);
  if (!data) return undefined;
  const { eventName, errorCode, requestParameters, responseElements, userIdentity } = data.detail;
  if (errorCode !== undefined) return { name: eventName, resources: [] };
  // The parameters have a different form for each service, but the ids are the same in all.
  const text = JSON.stringify([requestParameters, responseElements]);
  const names = [ARN_NAMES, CLASSIC_NAMES].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  );
  const { arn, accessKeyId } = userIdentity ?? {};
  const resources = [...new Set([...(text.match(IDS) ?? []), ...names])];
  return { name: eventName, resources, ...(arn ? { caller: arn } : {}), ...(accessKeyId ? { accessKeyId } : {}) };
};

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
};

/** Ids and names of resources, in the form in which calls contain them. */
const NAME = /^[\w-]{1,64}$/;

/** The recorded resources of an AWSCluster, by id or name. */
export const recordedNames = ({ spec, status }: AWSCluster): string[] => [
  ...new Set(
    strings([spec.network, spec.controlPlaneLoadBalancer?.name, status?.networkStatus]).filter((text) =>
      NAME.test(text),
    ),
  ),
];

/** Whether the caller is a session of the identity's role, with the name that Windlass gives its sessions. */
export const isSessionOf = ({ caller = '' }: ApiCall, identity: AWSClusterRoleIdentity): boolean => {
  const [, account, role, session] = SESSION.exec(caller) ?? [];
  const own = roleNamed(identity);
  return own !== undefined && account === own.account && role === own.name && session === sessionNameOf(identity);
};

/** Whether a call names a resource that belongs to an AWSCluster. */
export const isConcernedBy = (call: ApiCall, awsCluster: AWSCluster): boolean => {
  const own = new Set(recordedNames(awsCluster));
  return call.resources.some((resource) => own.has(resource));
};
