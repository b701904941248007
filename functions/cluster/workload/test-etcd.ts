/** For tests: the answers of etcdctl in a workload cluster, with members that the test sets. */
import type { CommandResult } from '../../../shared/workload/client.ts';

export interface TestMember {
  id: number;
  /** Empty if it has never started. */
  name: string;
  address: string;
  silent?: true;
  isFull?: true;
}

const succeeded = (value: unknown): CommandResult => ({ code: 0, stdout: JSON.stringify(value), stderr: '' });

/** Answers one command; `member remove` removes it from `members`. */
export const answerEtcdctl = (members: TestMember[], command: readonly string[]): CommandResult => {
  const words = command.filter((word) => !word.startsWith('--')).join(' ');
  const responding = members.filter(({ name, silent }) => name !== '' && !silent);
  switch (words.replace(/^etcdctl /, '').replace(/ [0-9a-f]+$/, '')) {
    case 'member list':
      return succeeded({
        members: members.map(({ id, name, address }) => ({ ID: id, name, peerURLs: [`https://${address}:2380`] })),
      });
    case 'endpoint status':
      return succeeded(responding.map(({ id }) => ({ Status: { leader: 1, header: { member_id: id } } })));
    case 'alarm list':
      return succeeded({
        alarms: members.filter(({ isFull }) => isFull).map(({ id }) => ({ memberID: id, alarm: 1 })),
      });
    case 'member remove': {
      const removed = Number.parseInt(words.split(' ').at(-1) ?? '', 16);
      const at = members.findIndex(({ id }) => id === removed);
      if (at < 0) return { code: 1, stdout: '', stderr: 'Error: etcdserver: member not found' };
      members.splice(at, 1);
      return { code: 0, stdout: '', stderr: '' };
    }
    default:
      throw new Error(`no answer to "${words}"`);
  }
};
