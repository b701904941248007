import type { Service } from '../../../../plan/services/service.ts';
import { isClassicType, isInternal, listIn, pairsIn, SERVICE_ANNOTATION, ServiceProblem } from '../annotations.ts';
import { checkClassicSpec } from '../check-spec.ts';
import { serviceBalancerName } from '../names.ts';
import { type Owner, serviceTags } from '../service-tags.ts';
import { sourceRanges } from '../source-ranges.ts';
import { classicAttributes } from './attributes.ts';
import { classicCheck } from './health-check.ts';
import { classicListeners } from './listeners.ts';
import type { DesiredClassic } from './model.ts';

/** The proxy protocol is enabled for all ports or for none. */
const hasProxyProtocol = ({ annotations }: Service): boolean => {
  const text = annotations[SERVICE_ANNOTATION.proxyProtocol] ?? '';
  if (text === '' || text === '*') return text === '*';
  throw new ServiceProblem(`annotation ${SERVICE_ANNOTATION.proxyProtocol}: must be *, not "${text}"`);
};

/** Our policy's name contains it, so it must be one of AWS's names. */
const sslPolicyOf = ({ annotations }: Service): string | undefined => {
  const name = SERVICE_ANNOTATION.sslPolicy;
  const policy = annotations[name] ?? '';
  if (policy === '') return undefined;
  if (/^[A-Za-z0-9-]{1,100}$/.test(policy)) return policy;
  throw new ServiceProblem(`annotation ${name}: must be the name of a security policy of AWS, not "${policy}"`);
};

const groupsIn = ({ annotations }: Service, name: string): string[] => {
  const ids = [...new Set(listIn(annotations[name]) ?? [])];
  const wrong = ids.find((id) => !/^sg-[0-9a-f]+$/.test(id));
  if (wrong !== undefined) throw new ServiceProblem(`annotation ${name}: "${wrong}" is not the id of a security group`);
  return ids;
};

/** The ids of security groups to which a Service refers. Throws ServiceProblem. */
export const namedGroups = (service: Service): string[] => [
  ...groupsIn(service, SERVICE_ANNOTATION.securityGroups),
  ...groupsIn(service, SERVICE_ANNOTATION.extraSecurityGroups),
];

/**
 * The classic load balancer for a Service, as in upstream's EnsureLoadBalancer. `instanceIds`: the cluster's own
 * instances. Throws ServiceProblem before anything is created.
 */
export const desiredClassic = (owner: Owner, service: Service, instanceIds: readonly string[]): DesiredClassic => {
  if (!isClassicType(service)) {
    const name = SERVICE_ANNOTATION.type;
    throw new ServiceProblem(`annotation ${name}: must be nlb, or missing for a classic load balancer`);
  }
  checkClassicSpec(service);
  const listeners = classicListeners(service);
  const subnets = listIn(service.annotations[SERVICE_ANNOTATION.subnets]);
  const groupIds = groupsIn(service, SERVICE_ANNOTATION.securityGroups);
  const sslPolicy = sslPolicyOf(service);
  return {
    type: 'classic',
    service,
    name: serviceBalancerName(service),
    isInternal: isInternal(service),
    ...(subnets ? { subnets } : {}),
    tags: serviceTags(owner, service),
    additionalTags: pairsIn(service.annotations[SERVICE_ANNOTATION.additionalTags]),
    attributes: classicAttributes(service),
    listeners,
    check: classicCheck(service, listeners),
    sourceRanges: sourceRanges(service),
    instanceIds,
    ...(groupIds.length > 0 ? { groupIds } : {}),
    extraGroupIds: groupsIn(service, SERVICE_ANNOTATION.extraSecurityGroups),
    hasProxyProtocol: hasProxyProtocol(service),
    ...(sslPolicy === undefined ? {} : { sslPolicy }),
  };
};
