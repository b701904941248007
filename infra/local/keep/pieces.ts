/**
 * The pieces of an engine's state. They are found by inspecting the state itself, so that no new one can be forgotten:
 * a value that is neither a piece nor known wiring is an error.
 */
import type { Vault } from './vault.ts';

/** Other contents of states: their location, their settings, and other states, which are stored separately. */
const WIRING = new Set(['place', 'settings', 'bus', 'ec2', 'loopback', 'path', 'neighbours', 'pulse']);

interface Rows {
  add(row: { readonly id: string }): unknown;
  all(): { readonly id: string }[];
}

type Piece = Map<unknown, unknown> | Set<unknown> | Rows | Record<string, unknown>;

const isRows = (value: object): value is Rows => 'all' in value && 'add' in value && 'seen' in value;

const isPiece = (name: string, value: unknown): value is Piece =>
  typeof value === 'object' &&
  value !== null &&
  (value instanceof Map || value instanceof Set || isRows(value) || name === 'counters');

/** The pieces by name. Throws an Error with the names of values that are neither pieces nor wiring. */
export const piecesOf = (state: object): Map<string, Piece> => {
  const pieces = new Map<string, Piece>();
  for (const [name, value] of Object.entries(state)) {
    if (isPiece(name, value)) pieces.set(name, value);
    else if (typeof value !== 'function' && !WIRING.has(name))
      throw new Error(`the state "${name}" is neither kept nor wiring: make it a map, a set, a table or a counter`);
  }
  return pieces;
};

const contentOf = (piece: Piece): unknown =>
  piece instanceof Map || piece instanceof Set ? piece : isRows(piece) ? piece.all() : { ...piece };

const fill = (piece: Piece, value: unknown): void => {
  if (piece instanceof Map) for (const [key, one] of value as Map<unknown, unknown>) piece.set(key, one);
  else if (piece instanceof Set) for (const one of value as Set<unknown>) piece.add(one);
  else if (isRows(piece)) for (const row of value as { id: string }[]) piece.add(row);
  else Object.assign(piece, value);
};

const empty = (piece: Piece): void => {
  if (piece instanceof Map || piece instanceof Set) piece.clear();
  else if ('remove' in piece && isRows(piece))
    for (const { id } of piece.all()) (piece.remove as (id: string) => void)(id);
};

/** Writes changed pieces. */
export const savePieces = (vault: Vault, state: object): void => {
  for (const [name, piece] of piecesOf(state)) vault.write(name, contentOf(piece));
};

/** Replaces the contents of the state with the stored ones. A piece that was not stored stays unchanged. */
export const restorePieces = (vault: Vault, state: object): void => {
  for (const [name, piece] of piecesOf(state)) {
    const value = vault.read<unknown>(name);
    if (value === undefined) continue;
    empty(piece);
    fill(piece, value);
  }
};
