import { existsSync, readFileSync } from 'node:fs';
import { type LogLine, readLine } from './line.ts';

const LINE = /^\S+ (\S+) (\{.*)$/;

/** The lines that the functions of `windlass start` have written, oldest first. `file` is its functions.log. */
export const readLocal = (file: string, stack: string): LogLine[] => {
  if (!existsSync(file))
    throw new Error(`there is no ${file}: the log is in the directory where \`windlass start\` was called`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      const [, functionName = '', json = ''] = LINE.exec(text) ?? [];
      return readLine(json, functionName.replace(`${stack}-`, '')) ?? [];
    });
};
