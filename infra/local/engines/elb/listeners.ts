/** Listeners of classic load balancers, validated as AWS does. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import { AwsFault } from '../wire/fault.ts';

const PROTOCOLS = ['TCP', 'SSL', 'HTTP', 'HTTPS'];

/** Whether a protocol is encrypted. */
export const isSecure = (protocol: string | undefined): boolean => protocol === 'SSL' || protocol === 'HTTPS';

const isHttp = (protocol: string): boolean => protocol.startsWith('HTTP');

const isPort = (port: number | undefined): boolean => port !== undefined && port >= 1 && port <= 65_535;

const checked = (listener: sdk.Listener): sdk.Listener => {
  const Protocol = listener.Protocol?.toUpperCase() ?? '';
  const InstanceProtocol = listener.InstanceProtocol?.toUpperCase() ?? Protocol;
  const wrong = [Protocol, InstanceProtocol].find((protocol) => !PROTOCOLS.includes(protocol));
  if (wrong !== undefined) throw new AwsFault('UnsupportedProtocol', `The protocol '${wrong}' is not supported`);
  if (!isPort(listener.LoadBalancerPort) || !isPort(listener.InstancePort))
    throw new AwsFault('ValidationError', 'The ports of a listener must be between 1 and 65535');
  if (isHttp(Protocol) !== isHttp(InstanceProtocol))
    throw new AwsFault(
      'InvalidConfigurationRequest',
      `The protocols ${Protocol} and ${InstanceProtocol} of a listener are not of the same layer`,
    );
  if (isSecure(Protocol) !== Boolean(listener.SSLCertificateId))
    throw new AwsFault('InvalidConfigurationRequest', `A listener for ${Protocol} and its certificate do not fit`);
  if (isSecure(Protocol) && !/^arn:[\w-]+:(acm|iam):/.test(listener.SSLCertificateId ?? ''))
    throw new AwsFault('CertificateNotFound', `Server Certificate not found for the key: ${listener.SSLCertificateId}`);
  return { ...listener, Protocol, InstanceProtocol };
};

/** The listeners in AWS's form, with protocols in upper case. Throws AWS's faults. */
export const checkListeners = (listeners: readonly sdk.Listener[]): sdk.Listener[] => {
  const ports = listeners.map(({ LoadBalancerPort }) => LoadBalancerPort);
  if (new Set(ports).size < ports.length)
    throw new AwsFault('DuplicateListener', 'Two listeners of a request have the same port');
  return listeners.map(checked);
};
