/** Features that an emulator lacks in calls that it supports. A relay adds them, so that a cluster can be created. */
import type { Forward } from '../../../../infra/local/engines/wire/server.ts';

export type Complete = (forward: Forward) => Forward;

export interface Completion {
  /** What the emulator cannot do, as worded in the table. */
  gap: string;
  /** How the suite works around it. */
  instead: string;
  /**
   * The question of the wire suite whose recorded answer shows the gap. The suite fails once the emulator closes it.
   */
  shownBy: string;
  service: string;
  complete: Complete;
}

/** The parameters of a request in a query protocol. */
export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString());

export const bodyOf = (fields: Record<string, string> | URLSearchParams): Buffer =>
  Buffer.from(new URLSearchParams(fields).toString());

export const textOf = (body: string | Uint8Array): string => Buffer.from(body).toString();
