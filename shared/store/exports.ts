import { ListExportsCommand, type ListExportsCommandOutput } from '@aws-sdk/client-dynamodb';

/** The part of a DynamoDB client that is used. */
export interface ExportsClient {
  send(command: ListExportsCommand): Promise<ListExportsCommandOutput>;
}

export interface Exports {
  /**
   * The ARN of the most recent completed export if it has failed; undefined if it has succeeded, or if none is
   * completed.
   */
  lastFailed(): Promise<string | undefined>;
}

/** DynamoDB's maximum. Exports of one table take minutes, so only a few can be in progress. */
const PAGE = 25;

/** The exports of a table in the last 90 days. */
export const createExports = ({ client, tableArn }: { client: ExportsClient; tableArn: string }): Exports => ({
  lastFailed: async () => {
    // Sorted by ARN, which contains the time: the newest comes first.
    const { ExportSummaries = [] } = await client.send(
      new ListExportsCommand({ TableArn: tableArn, MaxResults: PAGE }),
    );
    const last = ExportSummaries.find(({ ExportStatus }) => ExportStatus !== 'IN_PROGRESS');
    return last?.ExportStatus === 'FAILED' ? last.ExportArn : undefined;
  },
});
