declare module 'dynalite' {
  import type { Server } from 'node:http';

  /**
   * A DynamoDB in memory or in a directory. The times are those that a table spends in CREATING, UPDATING and DELETING.
   */
  export default function dynalite(options?: {
    createTableMs?: number;
    updateTableMs?: number;
    deleteTableMs?: number;
    /** A directory for the tables; they are in memory if it is omitted. */
    path?: string;
  }): Server;
}
