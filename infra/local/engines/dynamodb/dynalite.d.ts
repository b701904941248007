declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** A DynamoDB in memory. The times are those that a table spends in CREATING, UPDATING and DELETING. */
  export default function dynalite(options?: {
    createTableMs?: number;
    updateTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}
