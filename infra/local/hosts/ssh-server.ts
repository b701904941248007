import { once } from 'node:events';
import { createServer } from 'node:net';
import ssh2, { type Connection, type ParsedKey, type ServerChannel } from 'ssh2';
import type { Log } from '../../../shared/log.ts';
import { bindingProblem } from '../engines/elbv2/forwarding.ts';
import { messageOf } from '../machines/kubeadm/error.ts';
import { readAgentCall } from './agent-call.ts';
import type { Computer } from './computer.ts';

export interface SshServerOptions {
  address: string;
  port: number;
  /** The private key of the host, in OpenSSH's format. */
  hostKey: string;
  /** The user who may log in, and the key. */
  user: string;
  userKey: ParsedKey;
  computer: Computer;
  log: Log;
}

/** More than any bootstrap data needs. */
const MOST_INPUT = 16 * 1024 * 1024;

const readInput = async (channel: ServerChannel): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of channel) {
    length += (chunk as Buffer).length;
    if (length > MOST_INPUT) throw new Error('the input is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
};

/** The command with which users check first why a machine does not come up. */
const SHOW_LOG = 'sudo cat /var/lib/windlass/boot.log';

const REFUSAL = `a simulated host executes nothing but what Windlass sends, and "${SHOW_LOG}"\n`;

/** Answers a command of a connection. */
const execute = async (channel: ServerChannel, command: string, { user, computer }: SshServerOptions) => {
  // The input from a user's terminal does not end.
  if (command === SHOW_LOG) channel.write(computer.bootLog());
  const call = readAgentCall(command, user);
  if (call) channel.write(await computer.answer(call, await readInput(channel)));
  const isKnown = call !== undefined || command === SHOW_LOG;
  if (!isKnown) channel.stderr.write(REFUSAL);
  channel.exit(isKnown ? 0 : 127);
  channel.end();
};

const serve = (client: Connection, options: SshServerOptions): void => {
  const { user, userKey, log } = options;
  client.on('authentication', (context) => {
    if (context.method !== 'publickey' || context.username !== user) return context.reject(['publickey']);
    const { key, blob, signature, hashAlgo } = context;
    const isKnown = key.data.equals(userKey.getPublicSSH());
    // Without a signature, the client only asks whether the key would be accepted.
    const isProven = !signature || (blob !== undefined && userKey.verify(blob, signature, hashAlgo) === true);
    if (isKnown && isProven) context.accept();
    else context.reject(['publickey']);
  });
  client.on('session', (acceptSession) => {
    acceptSession().on('exec', (acceptExec, _reject, { command }) => {
      const channel = acceptExec();
      execute(channel, command, options).catch((error: unknown) => {
        log.warn('a simulated host could not answer', { reason: messageOf(error) });
        channel.close();
      });
    });
  });
  // A client may disconnect at any time.
  client.on('error', (error) => log.info('a connection to a simulated host ended', { reason: messageOf(error) }));
};

/** Listens as the SSH server of a host. Rejects with a one-line remedy if it cannot. */
export const listenSsh = async (options: SshServerOptions): Promise<() => Promise<void>> => {
  const { address, port, hostKey } = options;
  const clients = new Set<Connection>();
  const ssh = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    serve(client, options);
  });
  // As sshd does: otherwise, small packets would wait for acknowledgements, and each step of a connection would take 40
  // ms longer.
  const server = createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket));
  server.listen(port, address);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`a simulated host ${bindingProblem(address, port, code)}`);
  });
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const client of clients) client.end();
    await closed;
  };
};
