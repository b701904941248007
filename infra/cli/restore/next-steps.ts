/** The user's next steps after a restoration. Pure. */

/** An installed package has no cdk.json of the user, so the settings are arguments. */
const deployment = (table: string, { command, isCheckout }: { command: string; isCheckout: boolean }): string =>
  isCheckout
    ? `Add "tableName": "${table}" to the context in cdk.json, and run: ${command} deploy`
    : `Run this with your other settings, now and as every later deployment: ${command} deploy -c tableName=${table}`;

export const nextSteps = (table: string, installed: { command: string; isCheckout: boolean }): string => `
Next:
  1. ${deployment(table, installed)}
  2. Compare each cluster with the account and resume it, as docs/runbooks.md#restoring-the-table says.
The former table is kept.`;
