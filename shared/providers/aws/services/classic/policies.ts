import { endsTls } from './listeners.ts';
import type { ClassicAction, ClassicListener, DesiredClassic, ObservedClassic } from './model.ts';

/** Upstream's names. */
const PROXY = 'k8s-proxyprotocol-enabled';
const sslPolicyName = (policy: string): string => `k8s-SSLNegotiationPolicy-${policy}`;

const proxyActions = (desired: DesiredClassic, { name, policies, backends }: ObservedClassic): ClassicAction[] => {
  const { hasProxyProtocol, listeners } = desired;
  const isOn = (port: number): boolean => backends.get(port)?.includes(PROXY) === true;
  const ports = [...new Set(listeners.map(({ instancePort }) => instancePort))];
  const wanted = hasProxyProtocol ? [PROXY] : [];
  const changed = ports.filter((port) => isOn(port) !== hasProxyProtocol);
  // The policies of a port remain when its listener is deleted.
  const left = [...backends.keys()].filter((port) => !ports.includes(port) && isOn(port));
  return [
    ...(hasProxyProtocol && !policies.includes(PROXY)
      ? [{ type: 'CreatePolicy', name, policy: { kind: 'proxy', name: PROXY, value: 'true' } } as const]
      : []),
    ...changed.map((instancePort) => ({ type: 'SetBackendPolicies', name, instancePort, policies: wanted }) as const),
    ...left.map((instancePort) => ({ type: 'SetBackendPolicies', name, instancePort, policies: [] }) as const),
  ];
};

/** `unchanged`: listeners that are not changed; a new one has AWS's default policy. */
const sslActions = (
  { sslPolicy, listeners }: DesiredClassic,
  { name, policies, listeners: observed }: ObservedClassic,
  unchanged: readonly ClassicListener[],
): ClassicAction[] => {
  if (sslPolicy === undefined) return [];
  const policy = sslPolicyName(sslPolicy);
  const isSet = (listener: ClassicListener): boolean =>
    unchanged.includes(listener) &&
    observed.some(({ port, policies: own }) => port === listener.port && own.includes(policy));
  const lacking = listeners.filter((listener) => endsTls(listener) && !isSet(listener));
  return [
    ...(lacking.length > 0 && !policies.includes(policy)
      ? [{ type: 'CreatePolicy', name, policy: { kind: 'ssl', name: policy, value: sslPolicy } } as const]
      : []),
    ...lacking.map(({ port }) => ({ type: 'SetListenerPolicies', name, port, policies: [policy] }) as const),
  ];
};

/** Actions for the proxy protocol and for the security policies of listeners. */
export const policyActions = (
  desired: DesiredClassic,
  observed: ObservedClassic,
  unchanged: readonly ClassicListener[],
): ClassicAction[] => [...proxyActions(desired, observed), ...sslActions(desired, observed, unchanged)];
