import type { Service, ServicePort } from '../../../plan/services/service.ts';
import { SERVICE_ANNOTATION } from './annotations.ts';

/** Names and numbers of the ports that terminate TLS; undefined: all of them. */
const tlsPorts = ({ annotations }: Service): readonly string[] | undefined => {
  const text = annotations[SERVICE_ANNOTATION.sslPorts] ?? '';
  return text === '' || text === '*' ? undefined : text.split(',');
};

/** Whether a port is among those that terminate TLS if there is a certificate. */
export const isTlsPort = (service: Service, { name, port }: ServicePort): boolean =>
  tlsPorts(service)?.some((one) => one === name || Number(one) === port) ?? true;
