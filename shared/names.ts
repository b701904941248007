import { lookup } from 'node:dns/promises';

/** Whether a DNS name currently resolves, as seen from here. */
export type Resolves = (name: string) => Promise<boolean>;

/** Errors for names that do not exist (yet) or for which no server answers. */
const UNKNOWN = ['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT'];

const isUnknown = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && UNKNOWN.includes(error.code);

/** Uses the system's resolver. Throws errors that say nothing about the name. */
export const systemResolves: Resolves = async (name) => {
  try {
    await lookup(name);
    return true;
  } catch (error) {
    if (isUnknown(error)) return false;
    throw error;
  }
};
