import { ListExportsCommand, type ListExportsCommandOutput } from '@aws-sdk/client-dynamodb';

/** What is used of a DynamoDB client. */
export interface ExportsClient {
  send(command: ListExportsCommand): Promise<ListExportsCommandOutput>;
}

export interface Exports {
  /** The ARN of the newest export that has ended if it failed; undefined if it succeeded, or if none has ended. */
  lastFailed(): Promise<string | undefined>;
}

/** DynamoDB's maximum. Exports of one table take minutes: at most a few have not ended. */
const PAGE = 25;

/** The exports of a table, of the last 90 days. */
export const createExports = ({ client, tableArn }: { client: ExportsClient; tableArn: string }): Exports => ({
  lastFailed: async () => {
    // By ARN, which begins with the time: the newest first.
    const { ExportSummaries = [] } = await client.send(
      new ListExportsCommand({ TableArn: tableArn, MaxResults: PAGE }),
    );
    const last = ExportSummaries.find(({ ExportStatus }) => ExportStatus !== 'IN_PROGRESS');
    return last?.ExportStatus === 'FAILED' ? last.ExportArn : undefined;
  },
});
