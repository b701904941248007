/** A host's answer: specific lines, among which there may be others. */
type Answer = Readonly<Record<string, string>>;

const readAnswer = (output: string): Answer =>
  Object.fromEntries([...output.matchAll(/^windlass:(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));

/** The current use of a host. */
export interface HostCheck {
  /** The uid of the HostMachine that has marked the host; empty if none has. */
  readonly owner: string;
  readonly hostname: string;
  /** The host's own address at which it was reached. */
  readonly address: string;
  /** Whether the host is a node of some cluster. */
  readonly hasKubelet: boolean;
}

const HOSTNAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** Undefined if the host's answer is invalid. */
export const readCheck = (output: string): HostCheck | undefined => {
  const { owner, hostname = '', address = '', kubelet } = readAnswer(output);
  if (owner === undefined || kubelet === undefined || !HOSTNAME.test(hostname)) return undefined;
  // SSH_CONNECTION: address and port of the client, then of the server.
  return { owner, hostname, address: address.split(' ')[2] ?? '', hasKubelet: kubelet === 'yes' };
};

/** The progress of a job. */
export interface HostJob {
  readonly state: 'none' | 'running' | 'lost' | 'done' | 'failed' | 'free' | 'foreign' | 'incomplete' | 'unwritable';
  readonly exitCode?: number;
  /** The last lines of the job's output on the host, which may contain secrets. */
  readonly words: string;
}

const STATES = ['none', 'running', 'lost', 'failed', 'free', 'foreign', 'incomplete', 'unwritable'] as const;

/** Undefined if the host's answer is invalid. */
export const readJob = (output: string): HostJob | undefined => {
  const { state = '', words: encoded = '' } = readAnswer(output);
  const words = Buffer.from(encoded, 'base64').toString('utf8');
  const known = STATES.find((name) => name === state);
  if (known) return { state: known, words };
  if (!/^\d{1,3}$/.test(state)) return undefined;
  const exitCode = Number(state);
  return { state: exitCode === 0 ? 'done' : 'failed', exitCode, words };
};
