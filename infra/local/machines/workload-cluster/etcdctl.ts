import type { CommandResult } from '../../../../shared/workload/client.ts';
import { type Etcd, EtcdError, type Member } from './etcd.ts';

const TLS_FLAGS = ['--cacert', '--cert', '--key'];

const succeeded = (value: unknown): CommandResult => ({ code: 0, stdout: `${numbers(value)}\n`, stderr: '' });
const failed = (message: string, code = 1): CommandResult => ({ code, stdout: '', stderr: `Error: ${message}\n` });
const said = (line: string): CommandResult => ({ code: 0, stdout: `${line}\n`, stderr: '' });

/** etcdctl's exit code for invalid arguments. */
const BAD_ARGUMENTS = 128;

/** The id of the cluster; there is only one. */
const CLUSTER = 'c0ffee0123456789';

/** etcdctl writes ids as plain numbers of 64 bits, which JSON.stringify cannot do. */
const numbers = (value: unknown): string =>
  JSON.stringify(value).replace(/"#([0-9a-f]+)"/g, (_, id) => String(BigInt(`0x${id}`)));
const number = (id: string): string => `#${id}`;

const urlOf = ({ address }: Member): string => `https://${address}:2379`;

const memberList = (etcd: Etcd): CommandResult =>
  succeeded({
    members: etcd.members().map((member) => ({
      ID: number(member.id),
      peerURLs: [`https://${member.address}:2380`],
      ...(member.learner ? { isLearner: true } : { name: member.name, clientURLs: [urlOf(member)] }),
    })),
  });

/** The number of NOSPACE in etcd's protocol. */
const NOSPACE = 1;

const alarmList = (etcd: Etcd): CommandResult => {
  const full = etcd.members().filter(({ isFull }) => isFull);
  const alarms = full.map(({ id }) => ({ memberID: number(id), alarm: NOSPACE }));
  return succeeded({ header: {}, ...(alarms.length > 0 ? { alarms } : {}) });
};

/** Fails if a member does not answer, but still reports the others. */
const endpointStatus = (etcd: Etcd, self: string, isWide: boolean): CommandResult => {
  // A learner has not started here, and its address is unknown.
  const asked = etcd.members().filter(({ name, learner }) => !learner && (isWide || name === self));
  const leader = etcd.leader()?.id ?? '0';
  const answers = asked
    .filter(({ alive }) => alive)
    .map((member) => ({
      Endpoint: urlOf(member),
      Status: { header: { member_id: number(member.id) }, leader: number(leader) },
    }));
  const result = succeeded(answers);
  const silent = asked.filter(({ alive }) => !alive).map(urlOf);
  if (silent.length === 0) return result;
  const stderr = silent.map((url) => `Failed to get the status of endpoint ${url} (context deadline exceeded)\n`);
  return { ...result, code: 1, stderr: stderr.join('') };
};

const dispatch = (etcd: Etcd, self: string, words: readonly string[], flags: readonly string[]): CommandResult => {
  const [first, second, third = ''] = words;
  if (first === 'endpoint' && second === 'status') return endpointStatus(etcd, self, flags.includes('--cluster'));
  if (!etcd.hasQuorum()) return failed('context deadline exceeded');
  if (first === 'member' && second === 'list') return memberList(etcd);
  if (first === 'alarm' && second === 'list') return alarmList(etcd);
  if (first === 'member' && second === 'remove') {
    etcd.removeById(third);
    // As wide as an id can be, as etcdctl prints it.
    return said(`Member ${third.padStart(16)} removed from cluster ${CLUSTER.padStart(16)}`);
  }
  if (first === 'move-leader') {
    const leader = etcd.leader();
    if (leader?.name !== self) return failed('no leader endpoint given at [https://127.0.0.1:2379]', BAD_ARGUMENTS);
    etcd.moveLeader(second ?? '');
    return said(`Leadership transferred from ${leader.id} to ${second}`);
  }
  return failed(`unknown command "${words.join(' ')}" for "etcdctl" on a simulated machine`);
};

/**
 * `etcdctl` with `args`, in the pod of the member `self`. Commands that are not simulated fail with an error that names
 * them.
 */
export const runEtcdctl = (etcd: Etcd, self: string, args: readonly string[]): CommandResult => {
  const flags = args.filter((word) => word.startsWith('--'));
  const lacking = TLS_FLAGS.find((flag) => !flags.some((given) => given.startsWith(`${flag}=`)));
  if (lacking) return failed(`tls: ${lacking} is needed to talk to this member`);
  try {
    return dispatch(
      etcd,
      self,
      args.filter((word) => !word.startsWith('--')),
      flags,
    );
  } catch (error) {
    if (error instanceof EtcdError) return failed(error.message);
    throw error;
  }
};
