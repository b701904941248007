import { type HostVerb, hostCommand } from '../../../shared/providers/hosts/boot/agent.ts';

/** A request to a host from the provider for hosts. */
export interface AgentCall {
  verb: HostVerb;
  /** The uid of the HostMachine. */
  uid: string;
  argument: string;
}

const CALL = / windlass (check|start|poll|reset) '([\w-]*)' (?:'(\w*)'|"\$\{SSH_CONNECTION:-\}")$/;

/**
 * The call in an SSH command. Undefined for any other command, even if it differs from the provider's in a single
 * character: a simulated host has no shell.
 */
export const readAgentCall = (command: string, user: string): AgentCall | undefined => {
  const [, verb, uid = '', argument = ''] = CALL.exec(command) ?? [];
  if (verb === undefined) return undefined;
  const call: AgentCall = { verb: verb as HostVerb, uid, argument };
  return hostCommand(call.verb, user, uid, argument) === command ? call : undefined;
};
