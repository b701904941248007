import type * as sdk from '@aws-sdk/client-ec2';
import type { Handlers } from '../../wire/handlers.ts';
import type { Ec2 } from '../state.ts';

/** The output of an instance's machine on its serial console so far. */
export type ConsoleOf = (instanceId: string) => readonly string[];

/** EC2 keeps the last 64 KiB. */
const KEPT_BYTES = 64 * 1024;

/** GetConsoleOutput: `aws ec2 get-console-output` shows users why a machine does not become a node. */
export const consoleActions = (ec2: Ec2, consoleOf: ConsoleOf): Handlers<typeof sdk> => ({
  GetConsoleOutput: ({ InstanceId }) => {
    const { id } = ec2.instances.get(InstanceId);
    const text = Buffer.from(
      consoleOf(id)
        .map((line) => `${line}\r\n`)
        .join(''),
    ).subarray(-KEPT_BYTES);
    return {
      InstanceId: id,
      Timestamp: new Date(ec2.now()),
      Output: text.length > 0 ? text.toString('base64') : undefined,
    };
  },
});
