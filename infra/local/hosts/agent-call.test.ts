import { expect, it } from 'vitest';
import { hostCommand } from '../../../shared/providers/hosts/boot/agent.ts';
import { readAgentCall } from './agent-call.ts';

const UID = '9783b305-770c-4226-a5be-bf5ab739fc00';

it.each([
  ['check', 'root', ''],
  ['start', 'admin', 'ab12'],
  ['poll', 'admin', ''],
  ['reset', 'root', ''],
] as const)('parses commands of the provider: %s as %s', (verb, user, argument) => {
  expect(readAgentCall(hostCommand(verb, user, UID, argument), user)).toEqual({ verb, uid: UID, argument });
});

it.each([
  ['a foreign command', 'uptime'],
  ['another script with the same arguments', `sudo -n /bin/sh -c 'rm -rf /' windlass check '${UID}' ''`],
  ['the command of another user', hostCommand('poll', 'root', UID)],
  ['a command that another one follows', `${hostCommand('poll', 'admin', UID)}; reboot`],
])('executes no other commands: %s', (_what, command) => {
  expect(readAgentCall(command, 'admin')).toBeUndefined();
});
