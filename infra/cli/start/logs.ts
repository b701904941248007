import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { jsonLog, type Log } from '../../../shared/log.ts';

/** The destination of all output that is not for the user at the terminal. */
export interface Logs {
  log: Log;
  onFunctionLog(functionName: string, text: string): void;
  close(): Promise<void>;
}

const open = (directory: string, name: string): WriteStream => createWriteStream(join(directory, name), { flags: 'w' });

const closed = (stream: WriteStream): Promise<void> => new Promise((resolve) => stream.end(() => resolve()));

/**
 * Opens `laptop.log` (the simulated AWS, the engines, the machines) and `functions.log`, and replaces those of an
 * earlier start.
 */
export const openLogs = (directory: string): Logs => {
  mkdirSync(directory, { recursive: true });
  const laptop = open(directory, 'laptop.log');
  const functions = open(directory, 'functions.log');
  const now = () => new Date().toISOString();
  return {
    log: jsonLog((line) => laptop.write(`${now()} ${line}\n`)),
    onFunctionLog: (functionName, text) => functions.write(`${now()} ${functionName} ${text.trimEnd()}\n`),
    close: async () => {
      await Promise.all([closed(laptop), closed(functions)]);
    },
  };
};
