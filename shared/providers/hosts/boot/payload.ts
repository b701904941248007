import { createHash } from 'node:crypto';
import type { BootFile, BootPlan } from './cloud-config.ts';

/** The file with which bootstrap providers report their success, by Cluster API's contract. */
const SENTINEL = '/run/cluster-api/bootstrap-success.complete';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

const fileLine = ({ path, owner, mode, append, content }: BootFile): string =>
  ['file', base64(path), owner, mode, append ? '1' : '0', base64(content)].join(' ');

/** What is sent to a host. */
export interface Payload {
  readonly text: string;
  readonly sha256: string;
}

/**
 * A plan in lines that a shell can read: a verb, then words without spaces. `expect` names a file that exists after a
 * success, because the status of the last command says nothing about those before it.
 */
export const payloadOf = ({ before, files, after }: BootPlan): Payload => {
  const lines = [
    ...(after?.includes(SENTINEL) ? [`expect ${base64(SENTINEL)}`] : []),
    ...(before === undefined ? [] : [`run ${base64(before)}`]),
    ...files.map(fileLine),
    ...(after === undefined ? [] : [`run ${base64(after)}`]),
  ];
  const text = `${lines.join('\n')}\n`;
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
};
