/**
 * The store of `--keep` for the laptop's state: values by name in one SQLite file. A write is stored when the call
 * returns, even if the process is killed immediately afterwards: the operating system then has SQLite's log.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';

/** Must be increased when a piece of state changes its format and this code could not read the old one. */
const FORMAT = 1;

/** Values that structured cloning can copy, including maps, sets, dates, buffers and big integers. */
export interface Vault {
  /** The value, or undefined if there is none. */
  read<T>(name: string): T | undefined;
  /** Names that begin with `prefix`, in order. */
  names(prefix: string): string[];
  /** Writes the value, unless it is the same as the last written one. */
  write(name: string, value: unknown): void;
  remove(name: string): void;
  /** Ends all writes: services that are stopped after this are not stored as ended. */
  seal(): void;
  /** Seals it and closes its file; nothing can be read afterwards. */
  close(): void;
}

/** The part of a vault whose names begin with `prefix`; the part's own names omit it. */
export const shelfOf = (vault: Vault, prefix: string): Vault => ({
  read: (name) => vault.read(prefix + name),
  names: (inner) => vault.names(prefix + inner).map((name) => name.slice(prefix.length)),
  write: (name, value) => vault.write(prefix + name, value),
  remove: (name) => vault.remove(prefix + name),
  seal: vault.seal,
  close: vault.close,
});

const remedy = (directory: string): string =>
  `Nothing was changed. Start without --keep, or move ${directory} away to begin with an empty account.`;

const open = (file: string, directory: string): DatabaseSync => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    const [check] = database.prepare('PRAGMA quick_check(1)').all();
    if (check?.quick_check !== 'ok') throw new Error(String(check?.quick_check));
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    const tables = Number(database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count);
    if (version === FORMAT || (version === 0 && tables === 0)) return database;
    throw new Error(`it has format ${version}, and this version of Windlass reads format ${FORMAT}`);
  } catch (error) {
    database?.close();
    throw new Error(`${file} cannot be used: ${(error as Error).message}. ${remedy(directory)}`, { cause: error });
  }
};

/**
 * Opens or creates the vault of a directory. If the file is damaged or has another version, throws an Error that names
 * the file and the remedy, and changes nothing.
 */
export const openVault = (directory: string): Vault => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'state.sqlite');
  const database = open(file, directory);
  // A write-ahead log without waits for the disk: safe if the process dies.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA user_version = ${FORMAT};
    CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID`);
  const select = database.prepare('SELECT value FROM state WHERE name = ?');
  const list = database.prepare('SELECT name FROM state WHERE name >= ? AND name < ? ORDER BY name');
  const upsert = database.prepare('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)');
  const drop = database.prepare('DELETE FROM state WHERE name = ?');
  const written = new Map<string, Buffer>();
  let [isSealed, isClosed] = [false, false];
  return {
    read: <T>(name: string): T | undefined => {
      const value = select.get(name)?.value as Uint8Array | undefined;
      if (value === undefined) return undefined;
      try {
        return deserialize(value) as T;
      } catch (error) {
        throw new Error(`${file}: "${name}" cannot be read: ${(error as Error).message}. ${remedy(directory)}`, {
          cause: error,
        });
      }
    },
    names: (prefix) => list.all(prefix, `${prefix}\u{10ffff}`).map(({ name }) => String(name)),
    write: (name, value) => {
      if (isSealed) return;
      const bytes = serialize(value);
      if (written.get(name)?.equals(bytes)) return;
      upsert.run(name, bytes);
      written.set(name, bytes);
    },
    remove: (name) => {
      if (isSealed) return;
      drop.run(name);
      written.delete(name);
    },
    seal: () => {
      isSealed = true;
    },
    close: () => {
      isSealed = true;
      if (isClosed) return;
      isClosed = true;
      database.close();
    },
  };
};
