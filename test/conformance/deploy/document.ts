/** Extracts the commands that a reader of docs/deploy.md executes: those of its blocks, and those of its last table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../infra/cli/paths.ts';

export interface Block {
  /** The heading above the block. */
  heading: string;
  commands: string;
}

const DOCUMENT = join(ROOT, 'docs', 'deploy.md');

/** The `sh` blocks in the order of the document. */
export const blocksOf = (text: string = readFileSync(DOCUMENT, 'utf8')): Block[] => {
  const blocks: Block[] = [];
  let heading = '';
  let commands: string[] | undefined;
  for (const line of text.split('\n')) {
    if (commands === undefined) {
      heading = /^## (.*)/.exec(line)?.[1] ?? heading;
      if (line === '```sh') commands = [];
    } else if (line === '```') {
      blocks.push({ heading, commands: commands.join('\n') });
      commands = undefined;
    } else commands.push(line);
  }
  return blocks;
};

/** The commands in table rows, each in backticks and with an argument. */
export const tableCommandsOf = (text: string = readFileSync(DOCUMENT, 'utf8')): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`((?:aws|clusterawsadm) [^`]+)`/g)].map(([, command = '']) => command));
