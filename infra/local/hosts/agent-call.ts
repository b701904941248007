import { type HostVerb, hostCommand } from '../../../shared/providers/hosts/boot/agent.ts';

/** What the provider of hosts asks a host to do. */
export interface AgentCall {
  verb: HostVerb;
  /** Of the HostMachine. */
  uid: string;
  argument: string;
}

const CALL = / windlass (check|start|poll|reset) '([\w-]*)' (?:'(\w*)'|"\$\{SSH_CONNECTION:-\}")$/;

/**
 * The call that a command of a connection makes. Undefined for every other command, also for one that differs in a single
 * character from what the provider sends: a simulated host has no shell.
 */
export const readAgentCall = (command: string, user: string): AgentCall | undefined => {
  const [, verb, uid = '', argument = ''] = CALL.exec(command) ?? [];
  if (verb === undefined) return undefined;
  const call: AgentCall = { verb: verb as HostVerb, uid, argument };
  return hostCommand(call.verb, user, uid, argument) === command ? call : undefined;
};
