import { formatDuration } from '../../kinds/rules/duration.ts';
import { parseToken, TOKEN_GROUP, TOKEN_TTL_SECONDS, TOKEN_USAGES } from '../tokens.ts';
import { compact, type Fields } from './document.ts';
import { nodeRegistration } from './node-registration.ts';
import type { BootstrapToken, InitConfiguration } from './spec.ts';
import { timeoutsV1beta4 } from './timeouts.ts';
import { kubeadmApi } from './version.ts';

/** A token that the first control plane machine makes valid for another machine. */
export interface MachineToken {
  token: string;
  /** Contains the name of the machine; see `tokenDescription`. */
  description: string;
}

const userToken = ({ ttlSeconds, ...token }: BootstrapToken): Fields =>
  compact({ ...token, ttl: ttlSeconds === undefined ? undefined : formatDuration(ttlSeconds) });

const machineToken = ({ token, description }: MachineToken, index: number): Fields => {
  parseToken(token, `tokens[${index}].token`);
  return {
    token,
    description,
    ttl: formatDuration(TOKEN_TTL_SECONDS),
    usages: TOKEN_USAGES,
    groups: [TOKEN_GROUP],
  };
};

/**
 * kubeadm's InitConfiguration. It makes the tokens of all initial machines valid, so that they can join before any
 * controller has reached the new API server. The 15 minutes begin when kubeadm writes the tokens.
 */
export const initConfiguration = (
  version: string,
  configuration: InitConfiguration,
  tokens: readonly MachineToken[],
): Fields => {
  const api = kubeadmApi(version);
  const bootstrapTokens = [...(configuration.bootstrapTokens ?? []).map(userToken), ...tokens.map(machineToken)];
  return compact({
    apiVersion: api,
    kind: 'InitConfiguration',
    bootstrapTokens: bootstrapTokens.length === 0 ? undefined : bootstrapTokens,
    nodeRegistration: nodeRegistration(api, configuration.nodeRegistration),
    localAPIEndpoint: configuration.localAPIEndpoint && { ...configuration.localAPIEndpoint },
    skipPhases: configuration.skipPhases,
    patches: configuration.patches && { ...configuration.patches },
    timeouts: api === 'kubeadm.k8s.io/v1beta4' ? timeoutsV1beta4(configuration.timeouts) : undefined,
  });
};
