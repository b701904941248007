import type { FirstBoot } from '../machines/machine.ts';
import { makeInterpreter } from '../machines/user-data/interpret.ts';

/** The exit code of the hosts' boot script if the bootstrap data did not report success. */
const NOT_REPORTED = 74;

const decoded = (word = ''): Buffer => Buffer.from(word, 'base64');

/** One line of a payload, as shared/providers/hosts/boot/payload.ts writes it. */
type Line =
  | { verb: 'expect'; path: string }
  | { verb: 'run'; script: string }
  | { verb: 'file'; path: string; owner: string; permissions: string; append: boolean; content: Buffer };

const readLine = (text: string): Line => {
  const [verb, a, owner = '', permissions = '', append, content] = text.split(' ');
  const first = decoded(a).toString('utf8');
  if (verb === 'expect') return { verb, path: first };
  if (verb === 'run') return { verb, script: first };
  if (verb === 'file')
    return { verb, path: first, owner, permissions, append: append === '1', content: decoded(content) };
  throw new Error(`the payload has a line of an unknown kind: ${verb}`);
};

const readPayload = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(readLine);

const writeFile = (line: Extract<Line, { verb: 'file' }>, { files, log }: FirstBoot): void => {
  if (line.append) files.append(line.path, line.content);
  else files.write(line.path, line.content, line);
  log.line('windlass', `wrote ${line.path}`);
};

/**
 * Executes a payload as the boot script of a host would, on a simulated machine. Resolves to its exit code. `onFiles`
 * is called each time that files have been written. Rejects only if the machine is switched off.
 */
export const runPayload = async (text: string, machine: FirstBoot, onFiles: () => void): Promise<number> => {
  const interpreter = makeInterpreter({ ...machine, speaker: 'windlass' });
  let sentinel: string | undefined;
  let code = 0;
  for (const line of readPayload(text)) {
    if (line.verb === 'expect') sentinel = line.path;
    else if (line.verb === 'run') code = (await interpreter.run(line.script)) ? 0 : 1;
    else writeFile(line, machine);
    if (line.verb === 'file') onFiles();
  }
  if (code !== 0 || sentinel === undefined || machine.files.stat(sentinel)) return code;
  machine.log.line('windlass', 'windlass: the bootstrap data did not report success');
  return NOT_REPORTED;
};
