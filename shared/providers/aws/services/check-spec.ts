import type { Service } from '../../../plan/services/service.ts';
import { SERVICE_ANNOTATION, ServiceProblem } from './annotations.ts';

/** What a Service of each type must and must not contain. */

interface Limits {
  readonly protocols: readonly string[];
  /** Annotations that are refused. */
  readonly refused: readonly string[];
}

const refuse = (message: string): never => {
  throw new ServiceProblem(message);
};

const checkSpec = (service: Service, { protocols, refused }: Limits): void => {
  const { annotations, ports, sessionAffinity, loadBalancerIP } = service;
  if (sessionAffinity !== 'None') refuse(`spec.sessionAffinity: must be None, not ${sessionAffinity}`);
  if (loadBalancerIP !== '') refuse('spec.loadBalancerIP: cannot be chosen on AWS; remove it');
  if (new Set(ports.map(({ protocol }) => protocol)).size > 1) {
    refuse('spec.ports: all ports of a load balancer must have the same protocol');
  }
  const wrong = ports.find(({ protocol }) => !protocols.includes(protocol));
  if (wrong) refuse(`spec.ports: protocol ${wrong.protocol} is not supported, only ${protocols.join(' and ')}`);
  if (!ports.some(({ nodePort }) => nodePort > 0)) refuse('spec.ports: no port has a node port');
  const found = refused.find((name) => annotations[name] !== undefined);
  if (found) refuse(`annotation ${found}: is not supported; remove it`);
};

/** Throws ServiceProblem. Resources in the refused annotations cannot be proven to be the tenant's. */
export const checkNetworkSpec = (service: Service): void => {
  const { securityGroups, extraSecurityGroups, addresses } = SERVICE_ANNOTATION;
  checkSpec(service, { protocols: ['TCP', 'UDP'], refused: [securityGroups, extraSecurityGroups, addresses] });
};

/** Throws ServiceProblem. */
export const checkClassicSpec = (service: Service): void => {
  checkSpec(service, { protocols: ['TCP'], refused: [SERVICE_ANNOTATION.groupAttributes] });
};
