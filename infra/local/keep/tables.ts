/** The tables of `--keep`: dynalite's files, which are LevelDB's. */
import { existsSync } from 'node:fs';
import { ClassicLevel } from 'classic-level';

/** The error for tables that cannot be used, with the remedy. */
export const unusable = (directory: string, why: string, cause?: unknown): Error =>
  new Error(
    `${directory} cannot be used: ${why}. Nothing was changed. Start without --keep, or move the directory above it away to begin with an empty account.`,
    { cause },
  );

/** Rejects with an Error that names the directory if its files are damaged; dynalite would end the process. */
export const requireTables = async (directory: string): Promise<void> => {
  if (!existsSync(directory)) return;
  const database = new ClassicLevel(directory, { createIfMissing: false });
  try {
    await database.open();
  } catch (error) {
    const { cause, message } = error as Error;
    throw unusable(directory, cause instanceof Error ? cause.message : message, error);
  } finally {
    await database.close();
  }
};
