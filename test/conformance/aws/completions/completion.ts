/** What an emulator leaves out of calls that it takes, completed on the way so that a cluster comes up nevertheless. */
import type { Forward } from '../../../../infra/local/engines/wire/server.ts';

export type Complete = (forward: Forward) => Forward;

export interface Completion {
  /** What it cannot do, in the words of the table. */
  gap: string;
  /** What the suite does about it. */
  instead: string;
  /** The question of the wire suite whose recorded answer shows it: once the emulator learns it, the suite fails. */
  shownBy: string;
  service: string;
  complete: Complete;
}

/** The fields of a request that speaks a query protocol. */
export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString());

export const bodyOf = (fields: Record<string, string> | URLSearchParams): Buffer =>
  Buffer.from(new URLSearchParams(fields).toString());

export const textOf = (body: string | Uint8Array): string => Buffer.from(body).toString();
