import { Buffer } from 'node:buffer';
import { agentTokenOf } from '../../bootstrap/rke2/token.ts';
import type { Secret } from '../../kinds/index.ts';
import { GROUP } from '../../plan/labels.ts';

/** The name of the Secret with the token with which machines join; the same as in upstream. */
export const tokenSecretName = (clusterName: string): string => `${clusterName}-token`;

const AGENT_TOKEN = 'agent-token';

const textOf = ({ data }: Secret, key: string): string => Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');

/** Rancher's provider makes the Cluster the controller of the Secret; here the control plane is the controller. */
const isRanchers = ({ metadata }: Secret): boolean =>
  (metadata.ownerReferences ?? []).some(
    ({ controller, kind, apiVersion }) =>
      controller === true && kind === 'Cluster' && apiVersion.startsWith(`${GROUP.core}/`),
  );

/** The tokens with which machines join a cluster. */
export interface JoinTokens {
  /** Empty if the Secret has none. */
  server: string;
  /** Equal to the servers' token if servers have no other one for agents. */
  agent: string;
}

/**
 * The tokens of a cluster. All its servers must have the same token for agents, for as long as it exists: a server with
 * another one refuses the workers of the others, and does not start a second time. So a cluster whose servers Rancher's
 * provider has created, which gives them no token for agents, keeps the servers' token for its workers.
 */
export const tokensIn = (secret: Secret): JoinTokens => {
  const server = textOf(secret, 'value');
  const agent = textOf(secret, AGENT_TOKEN) || (isRanchers(secret) ? server : agentTokenOf(server));
  return { server, agent };
};

/** The Secret with the agents' token in addition, which is kept if owners are lost; undefined if nothing changes. */
export const withAgentToken = (secret: Secret): Secret | undefined => {
  const { server, agent } = tokensIn(secret);
  if (!server || secret.immutable || textOf(secret, AGENT_TOKEN)) return undefined;
  return { ...secret, data: { ...secret.data, [AGENT_TOKEN]: Buffer.from(agent, 'utf8').toString('base64') } };
};
