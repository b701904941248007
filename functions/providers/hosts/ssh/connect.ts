import { connect as connectTcp, isIP, type Socket } from 'node:net';
import ssh2, { type Client, type ClientErrorExtensions } from 'ssh2';
import { guardedLookup, type Reach, refusedAddress } from '../../../../shared/workload/addresses.ts';
import { HostError } from './host-error.ts';
import { knownKey } from './host-key.ts';

/** The address and credentials of a host. */
export interface HostAddress {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly hostKey: string;
  readonly privateKey: Buffer;
}

/** Runs one command on a host and returns its standard output. Throws a HostError. */
export type RunOnHost = (host: HostAddress, command: string, input: string) => Promise<string>;

export interface SshOptions {
  reach: Reach;
  /** Aborts a connection that takes too long. */
  deadline: () => AbortSignal;
}

/** Larger than any answer of our script. */
const MOST_OUTPUT = 64 * 1024;

const where = ({ address, port }: HostAddress): string => `${address}:${port}`;

/** The code of an error of a socket or a name server; the rest of its text is not passed on. */
const codeOf = (error: unknown): string => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return /^E[A-Z_]{2,20}$/.test(code) ? code : 'the connection failed';
};

const explain = (host: HostAddress, error: Error & ClientErrorExtensions): HostError => {
  if (error instanceof HostError) return error;
  if (error.level === 'client-authentication')
    return new HostError(
      'AuthenticationFailed',
      `${where(host)} refuses the user ${host.user} with the key of the Secret: correct spec.user or spec.secretRef`,
    );
  const [why] = error.name === 'ConnectionFault' ? [error.message] : [codeOf(error)];
  return new HostError('Unreachable', `${where(host)} cannot be reached over SSH: ${why}`);
};

const openSocket = (host: HostAddress, { reach }: SshOptions): Socket => {
  const refused = isIP(host.address) === 0 ? undefined : refusedAddress(host.address, reach);
  if (refused)
    throw new HostError(
      'AddressRefused',
      `spec.address: ${host.address} ${refused}; Windlass does not connect to such addresses`,
    );
  // SSH starts with many small packets, each of which would wait for the acknowledgement of the previous one.
  return connectTcp({ host: host.address, port: host.port, lookup: guardedLookup(reach), noDelay: true });
};

/** Only the first call has an effect. */
const execute = (
  client: Client,
  command: string,
  input: string,
  done: (output: string) => void,
  fail: (error: Error) => void,
) =>
  client.exec(command, (refused, channel) => {
    if (refused) return fail(refused);
    let [output, errors] = ['', ''];
    channel.on('data', (chunk: Buffer) => {
      if (output.length < MOST_OUTPUT) output += chunk.toString('utf8');
    });
    channel.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < MOST_OUTPUT) errors += chunk.toString('utf8');
    });
    channel.on('error', fail);
    channel.on('close', () =>
      /^sudo: /m.test(errors) && output === ''
        ? fail(
            new HostError(
              'SudoRefused',
              'sudo asks for a password, or is not installed: allow the user to run sudo without one',
            ),
          )
        : done(output),
    );
    // A command that does not read its input may close it while it is being written.
    channel.stdin?.on?.('error', () => {});
    channel.end(input);
  });

/**
 * Connects for each command: a function keeps no connection between its invocations. The host's key is checked before
 * the user is authenticated, so that no other computer receives the user name.
 */
export const makeRunOnHost =
  (options: SshOptions): RunOnHost =>
  (host, command, input) => {
    const key = knownKey(host.hostKey);
    if (ssh2.utils.parseKey(host.privateKey) instanceof Error)
      throw new HostError(
        'CredentialsInvalid',
        'the Secret has no readable private key under ssh-privatekey: use an OpenSSH format without a passphrase',
      );
    const client = new ssh2.Client();
    const deadline = options.deadline();
    const ended = Promise.withResolvers<string>();
    const fail = (error: Error): void => ended.reject(explain(host, error));
    const expire = () => fail(new HostError('Unreachable', `${where(host)} does not respond in time`));
    deadline.addEventListener('abort', expire, { once: true });
    const verify = (found: Buffer): boolean => {
      if (key.matches(found)) return true;
      fail(
        new HostError(
          'HostKeyMismatch',
          `${where(host)} has another key than spec.hostKey: it is not the intended host, or has been reinstalled`,
        ),
      );
      return false;
    };
    client.on('error', fail);
    client.on('close', () => fail(new Error('closed')));
    client.on('ready', () => execute(client, command, input, ended.resolve, fail));
    const open = async (): Promise<string> => {
      const sock = openSocket(host, options);
      sock.on('error', fail);
      client.connect({
        sock,
        username: host.user,
        privateKey: host.privateKey,
        hostVerifier: verify,
        algorithms: { serverHostKey: key.algorithms },
        authHandler: ['publickey'],
        readyTimeout: 0,
      });
      try {
        return await ended.promise;
      } finally {
        deadline.removeEventListener('abort', expire);
        client.end();
        sock.destroy();
      }
    };
    return open();
  };
