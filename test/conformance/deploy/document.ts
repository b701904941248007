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

/**
 * The settings that the document adds to `context` in cdk.json under a heading, as arguments of the CDK: a test must not
 * change the cdk.json of the checkout.
 */
export const settingsOf = (heading: string, text: string = readFileSync(DOCUMENT, 'utf8')): string => {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [, lines] = /^```json\n(.*?),\n```$/ms.exec(section.split('\n## ')[0] ?? '') ?? [];
  if (lines === undefined) throw new Error(`no settings under "${heading}"`);
  const settings = JSON.parse(`{${lines}}`) as Record<string, string | number>;
  return Object.entries(settings)
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(' ');
};

/** The commands in table rows, each in backticks and with an argument. */
export const tableCommandsOf = (text: string = readFileSync(DOCUMENT, 'utf8')): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`((?:aws|clusterawsadm) [^`]+)`/g)].map(([, command = '']) => command));
