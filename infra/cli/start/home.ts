/** Only one start at a time may keep its state in a directory. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The process that uses the directory, for the message of a second start. */
export interface Owner {
  pid: number;
  /** RFC 3339. */
  since: string;
}

/** SQLITE_BUSY: another process has the lock. */
const BUSY = 5;

const ownerText = (file: string): string => {
  try {
    const { pid, since } = JSON.parse(readFileSync(file, 'utf8')) as Owner;
    return `process ${pid}, which was started at ${since}`;
  } catch {
    return 'another process';
  }
};

/**
 * Locks the directory until the result is called or the process dies: the operating system releases the lock, which is
 * SQLite's lock on an empty file. Throws an Error that names the process with the lock.
 */
export const takeHome = (directory: string, owner: Owner): (() => void) => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'owner.json');
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    throw new Error(
      `${directory} is in use by ${ownerText(file)}: stop it, or set WINDLASS_HOME to another directory for a second start`,
    );
  }
  writeFileSync(file, JSON.stringify(owner));
  return () => database.close();
};
