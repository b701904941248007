import type { Service, ServicePort } from '../../../../plan/services/service.ts';
import { SERVICE_ANNOTATION, ServiceProblem } from '../annotations.ts';
import { isTlsPort } from '../tls-ports.ts';
import type { ClassicListener } from './model.ts';

/** The protocol of a listener with a certificate, by the protocol of its nodes. */
const FRONT: Readonly<Record<string, string>> = { http: 'HTTPS', https: 'HTTPS', tcp: 'SSL', ssl: 'SSL' };

const listenerOf = (service: Service, port: ServicePort): ClassicListener => {
  const { annotations } = service;
  const certificateArn = annotations[SERVICE_ANNOTATION.certificate] ?? '';
  const name = SERVICE_ANNOTATION.backendProtocol;
  const backend = annotations[name] ?? '';
  const ports = { port: port.port, instancePort: port.nodePort };
  if (certificateArn === '' || !isTlsPort(service, port)) {
    const protocol = backend === 'http' ? 'HTTP' : 'TCP';
    return { ...ports, protocol, instanceProtocol: protocol };
  }
  const protocol = FRONT[backend || 'tcp'];
  if (protocol) return { ...ports, protocol, instanceProtocol: (backend || 'tcp').toUpperCase(), certificateArn };
  throw new ServiceProblem(`annotation ${name}: must be http, https, ssl or tcp, not "${backend}"`);
};

/** A listener for each port that has a node port. Throws ServiceProblem. Source: buildListener. */
export const classicListeners = (service: Service): ClassicListener[] =>
  service.ports.filter(({ nodePort }) => nodePort > 0).map((port) => listenerOf(service, port));

/** Whether a listener terminates TLS, so that it has a security policy. */
export const endsTls = ({ protocol }: ClassicListener): boolean => protocol === 'SSL' || protocol === 'HTTPS';
