/** Two runs that need the same program do not build it at the same time into the same folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Runs the work while no other process does so under this name. */
export type Lock = <T>(name: string, work: () => T) => T;

/** Cold builds of everything take an hour. */
const PATIENCE_MILLISECONDS = 2 * 3600 * 1000;

/** SQLITE_BUSY: another process has the lock. */
const BUSY = 5;

const tryToBegin = (database: DatabaseSync): boolean => {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
};

const begin = (file: string, name: string, say: (line: string) => void, patience: number): DatabaseSync => {
  const impatient = new DatabaseSync(file, { timeout: 0 });
  if (tryToBegin(impatient)) return impatient;
  impatient.close();
  say(`waiting for another run, which provides ${name}`);
  const patient = new DatabaseSync(file, { timeout: patience });
  if (tryToBegin(patient)) return patient;
  patient.close();
  throw new Error(`another process still holds ${file} after ${patience / 1000} s: end it, or try again later`);
};

/**
 * Locks in a directory, a file for each name, which the operating system releases when a process dies: SQLite locks its
 * files, without any data in them. Waits in a synchronous call, as builds do. `say` reports a wait. Throws an Error
 * when the lock is not free in time, and the error of the work.
 */
export const lockIn =
  (directory: string, say: (line: string) => void, patience = PATIENCE_MILLISECONDS): Lock =>
  (name, work) => {
    mkdirSync(directory, { recursive: true });
    const database = begin(join(directory, `${name}.lock`), name, say, patience);
    try {
      return work();
    } finally {
      database.close();
    }
  };
