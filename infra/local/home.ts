/** Where the laptop's simulated account is, unless someone says otherwise. */
export const HOME = { partition: 'aws', accountId: '000000000000', region: 'us-east-1' } as const;
