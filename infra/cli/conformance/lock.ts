/** Prevents concurrent runs from building the same program into the same folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Runs the work while no other process holds the lock with this name. */
export type Lock = <T>(name: string, work: () => T) => T;

/** Building everything without a cache takes an hour. */
const PATIENCE_MILLISECONDS = 2 * 3600 * 1000;

/** SQLITE_BUSY: another process holds the lock. */
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
 * Locks in a directory, with one file for each name. SQLite locks its files, even without data, and the operating
 * system releases the lock when the process ends. Waits synchronously, as builds do, and reports a wait to `say`.
 * Throws an Error if the lock is not released in time, and the error of the work.
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
