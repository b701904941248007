/** The default region of the laptop's simulated account. */
export const HOME = { partition: 'aws', accountId: '000000000000', region: 'us-east-1' } as const;
