import { type HostVerb, hostCommand } from '../../../shared/providers/hosts/boot/agent.ts';

/** The requests of the provider of hosts to a host. */
export interface AgentCall {
  verb: HostVerb;
  /** Of the HostMachine. */
  uid: string;
  argument: string;
}

const CALL = / windlass (check|start|poll|reset) '([\w-]*)' (?:'(\w*)'|"\$\{SSH_CONNECTION:-\}")$/;

/**
 * The call in a command of a connection. Undefined for every other command, even for one that differs in a single
 * character from the provider's: a simulated host has no shell.
 */
export const readAgentCall = (command: string, user: string): AgentCall | undefined => {
  const [, verb, uid = '', argument = ''] = CALL.exec(command) ?? [];
  if (verb === undefined) return undefined;
  const call: AgentCall = { verb: verb as HostVerb, uid, argument };
  return hostCommand(call.verb, user, uid, argument) === command ? call : undefined;
};
