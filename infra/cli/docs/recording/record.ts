/** Records a command in its own terminal. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../paths.ts';
import type { Chunk, Size } from './terminal.ts';

/**
 * The output of `script`: its first line is a header, and its timing file has a line for each piece, with the seconds
 * since the previous piece and the number of bytes. A character may be cut in two, so bytes are decoded as one stream.
 */
const chunksOf = (log: Buffer, timing: string): Chunk[] => {
  const decoder = new TextDecoder();
  let offset = log.indexOf('\n') + 1;
  let at = 0;
  return timing
    .trim()
    .split('\n')
    .map((line) => {
      const [pause = 0, bytes = 0] = line.split(' ').map(Number);
      at += pause;
      offset += bytes;
      return { at, text: decoder.decode(log.subarray(offset - bytes, offset), { stream: true }) };
    });
};

/** Runs a shell command in the project's root. Throws an Error with its output if it fails. */
export const record = (command: string, { columns, rows }: Size): Chunk[] => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-recording-'));
  const [log, timing] = [join(folder, 'log'), join(folder, 'timing')];
  try {
    const sized = `stty cols ${columns} rows ${rows}; ${command}`;
    const args = ['--quiet', '--return', '--command', sized, '--log-out', log, '--log-timing', timing];
    const env = { ...process.env, TERM: 'xterm-256color', FORCE_COLOR: '1' };
    const { status, error } = spawnSync('script', args, { cwd: ROOT, env, stdio: 'ignore' });
    if (error) throw new Error(`script (util-linux), which records terminals, does not start: ${error.message}`);
    const chunks = chunksOf(readFileSync(log), readFileSync(timing, 'utf8'));
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${chunks.map(({ text }) => text).join('')}`);
    return chunks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
