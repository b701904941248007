import * as z from 'zod';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { defaultSessionName } from '../identity/role-request.ts';

/** The detail-type under which CloudTrail hands calls to EventBridge. */
export const API_CALL = 'AWS API Call via CloudTrail';

const schema = z.object({
  'detail-type': z.literal(API_CALL),
  detail: z.object({
    eventName: z.string(),
    errorCode: z.string().optional(),
    requestParameters: z.unknown().optional(),
    responseElements: z.unknown().optional(),
    userIdentity: z.object({ arn: z.string().optional() }).optional(),
  }),
});

/** Ids of the resources of networks. */
const IDS = /\b(?:vpc|subnet|igw|eigw|rtb|nat|sg|eipalloc|vpce)-[0-9a-f]{8,17}\b/g;
/** Names in the ARNs of load balancers, listeners and target groups. */
const ARN_NAMES = /:(?:loadbalancer\/net|listener\/net|targetgroup)\/([\w-]+)\//g;
/** Names of load balancers of the first generation, in whatever field. */
const CLASSIC_NAMES = /"loadBalancerNames?":\s*\[?"([\w-]+)"/g;

/** An API call by others, with all names of resources that clusters may own. */
export interface ApiCall {
  name: string;
  resources: readonly string[];
  /** The name of the caller's session, if it has assumed a role. */
  session?: string;
}

const SESSION = /:assumed-role\/[^/]+\/(.+)$/;

/** Undefined for another event. A call that AWS refused has changed nothing, so that it names nothing. */
export const readApiCall = (event: unknown): ApiCall | undefined => {
  const { data } = schema.safeParse(event);
  if (!data) return undefined;
  const { eventName, errorCode, requestParameters, responseElements, userIdentity } = data.detail;
  if (errorCode !== undefined) return { name: eventName, resources: [] };
  // Every service writes its parameters in a form of its own; the ids are the same in all.
  const text = JSON.stringify([requestParameters, responseElements]);
  const names = [ARN_NAMES, CLASSIC_NAMES].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  );
  const [, session] = SESSION.exec(userIdentity?.arn ?? '') ?? [];
  const resources = [...new Set([...(text.match(IDS) ?? []), ...names])];
  return { name: eventName, resources, ...(session ? { session } : {}) };
};

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
};

/** The recorded resources of an AWSCluster, by id or name. */
const recorded = ({ spec, status }: AWSCluster): Set<string> =>
  new Set(strings([spec.network, spec.controlPlaneLoadBalancer?.name, status?.networkStatus]));

/** Whether Windlass made the call with the cluster's identity: the rule knows only the roles of the stack itself. */
const isOwn = ({ session }: ApiCall, { spec: { identityRef } }: AWSCluster): boolean =>
  identityRef?.kind === 'AWSClusterRoleIdentity' && session === defaultSessionName(identityRef.name);

/** The AWSClusters to which belongs what a call of others names. */
export const concernedBy = (call: ApiCall, awsClusters: readonly AWSCluster[]): AWSCluster[] =>
  awsClusters.filter((awsCluster) => {
    if (isOwn(call, awsCluster)) return false;
    const own = recorded(awsCluster);
    return call.resources.some((resource) => own.has(resource));
  });
