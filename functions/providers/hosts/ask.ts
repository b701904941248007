import { type Host, kinds } from '../../../shared/kinds/index.ts';
import { type HostVerb, hostCommand } from '../../../shared/providers/hosts/boot/agent.ts';
import { type HostCheck, type HostJob, readCheck, readJob } from '../../../shared/providers/hosts/boot/answer.ts';
import { withReachable } from '../../../shared/providers/hosts/status.ts';
import type { HostsDependencies } from './dependencies.ts';
import { keyOf } from './read.ts';
import { recorder } from './reasons.ts';
import { HostError } from './ssh/host-error.ts';

const privateKeyOf = async ({ objects }: HostsDependencies, { metadata, spec }: Host): Promise<Buffer> => {
  const { name } = spec.secretRef;
  const secret = await objects.get(kinds.secret, { namespace: metadata.namespace ?? '', name });
  const key = secret?.data?.['ssh-privatekey'];
  if (key) return Buffer.from(key, 'base64');
  const what = secret ? 'has no key ssh-privatekey' : 'does not exist';
  throw new HostError('CredentialsInvalid', `spec.secretRef: Secret ${name} ${what}`);
};

interface Question {
  verb: HostVerb;
  uid: string;
  argument?: string;
  input?: string;
}

const ask = async (deps: HostsDependencies, host: Host, { verb, uid, argument, input = '' }: Question) => {
  const { address, port = 22, user = 'root', hostKey } = host.spec;
  const privateKey = await privateKeyOf(deps, host);
  return deps.run({ address, port, user, hostKey, privateKey }, hostCommand(verb, user, uid, argument), input);
};

const understood = <T>(answer: T | undefined): T => {
  if (answer !== undefined) return answer;
  throw new HostError('UnexpectedAnswer', 'the host does not respond like a Linux system with sh and coreutils');
};

export const check = async (deps: HostsDependencies, host: Host, uid: string): Promise<HostCheck> =>
  understood(readCheck(await ask(deps, host, { verb: 'check', uid })));

export const askJob = async (deps: HostsDependencies, host: Host, question: Question): Promise<HostJob> =>
  understood(readJob(await ask(deps, host, question)));

const isSaid = ({ status }: Host, problem: HostError | undefined): boolean =>
  status?.conditions?.some(
    ({ type, status: holds, message }) =>
      type === 'Reachable' && (problem ? message === problem.message : holds === 'True'),
  ) === true;

/** Records on a Host whether it can be used, with an event if it cannot. Costs nothing if this is already recorded. */
export const reportHost = async (deps: HostsDependencies, host: Host, problem?: HostError): Promise<void> => {
  if (isSaid(host, problem)) return;
  const said = problem && { reason: problem.reason, message: problem.message };
  await deps.objects.mutate(kinds.host, keyOf(host), (current) =>
    current.metadata.uid === host.metadata.uid ? withReachable(current, said, deps.clock.now()) : undefined,
  );
  if (problem) await recorder(deps).warning(host, 'HostUnusable', problem.message);
};
