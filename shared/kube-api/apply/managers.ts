import { isDeepStrictEqual } from 'node:util';
import type { ManagedFieldsEntry } from '../object.ts';
import { type FieldSet, isEmpty } from './field-set.ts';
import { readFieldsV1, writeFieldsV1 } from './fields-v1.ts';

/** A manager and its fields. Name, operation, subresource and (for updates) API version identify managers. */
export interface Manager {
  name: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  subresource: string;
  time?: string;
  set: FieldSet;
  /** The entry from which this was read; valid as long as nothing was changed. */
  entry?: ManagedFieldsEntry;
}

/** By identity; see `identityOf`. */
export type Managers = ReadonlyMap<string, Manager>;

/** An applier keeps its identity when it moves to another version. */
export const identityOf = (manager: Omit<Manager, 'set' | 'time' | 'entry'>): string =>
  JSON.stringify([
    manager.name,
    manager.operation,
    manager.operation === 'Apply' ? '' : manager.apiVersion,
    manager.subresource,
  ]);

const readEntry = (entry: ManagedFieldsEntry): Manager | undefined => {
  const { manager = '', operation, apiVersion, time, fieldsType, fieldsV1, subresource = '' } = entry;
  if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || fieldsType !== 'FieldsV1') return undefined;
  const set = readFieldsV1(fieldsV1 ?? {});
  return set && { name: manager, operation, apiVersion, subresource, ...(time ? { time } : {}), set, entry };
};

/** Undefined if any entry is not valid. */
export const readManagers = (entries: readonly ManagedFieldsEntry[]): Managers | undefined => {
  const managers = new Map<string, Manager>();
  for (const entry of entries) {
    const manager = readEntry(entry);
    if (!manager) return undefined;
    managers.set(identityOf(manager), manager);
  }
  return managers;
};

const writeEntry = ({ name, operation, apiVersion, time, set, subresource, entry }: Manager): ManagedFieldsEntry =>
  entry ?? {
    manager: name,
    operation,
    apiVersion,
    ...(time ? { time } : {}),
    fieldsType: 'FieldsV1',
    fieldsV1: writeFieldsV1(set),
    ...(subresource ? { subresource } : {}),
  };

const byText = (a = '', b = ''): number => (a === b ? 0 : a < b ? -1 : 1);

const secondsOf = ({ time }: ManagedFieldsEntry): number => (time ? Math.floor(Date.parse(time) / 1_000) : 0);

/** The stored form: appliers before updaters, oldest first. Managers that own nothing are left out. */
export const writeManagers = (managers: Managers): ManagedFieldsEntry[] =>
  [...managers.values()]
    .filter(({ set }) => !isEmpty(set))
    .map(writeEntry)
    .sort(
      (a, b) =>
        byText(a.operation, b.operation) ||
        secondsOf(a) - secondsOf(b) ||
        byText(a.manager, b.manager) ||
        byText(a.apiVersion, b.apiVersion) ||
        byText(a.subresource, b.subresource),
    );

const untimed = (entries: readonly ManagedFieldsEntry[] = []) =>
  entries.map(({ time: _, ...entry }) => JSON.stringify(entry)).sort();

/** Whether two lists differ at most in their times. If nothing else differs, a write changes nothing. */
export const sameOwnership = (
  a: readonly ManagedFieldsEntry[] | undefined,
  b: readonly ManagedFieldsEntry[] | undefined,
): boolean => a === b || isDeepStrictEqual(untimed(a), untimed(b));
