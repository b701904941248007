/** What an emulator omits from supported calls, completed by a relay so that a cluster still comes up. */
import type { Forward } from '../../../../infra/local/engines/wire/server.ts';

export type Complete = (forward: Forward) => Forward;

export interface Completion {
  /** What it cannot do, in the table's words. */
  gap: string;
  /** How the suite completes it. */
  instead: string;
  /** The question of the wire suite whose recorded answer shows it: once the emulator supports it, the suite fails. */
  shownBy: string;
  service: string;
  complete: Complete;
}

/** The fields of a request in a query protocol. */
export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString());

export const bodyOf = (fields: Record<string, string> | URLSearchParams): Buffer =>
  Buffer.from(new URLSearchParams(fields).toString());

export const textOf = (body: string | Uint8Array): string => Buffer.from(body).toString();
