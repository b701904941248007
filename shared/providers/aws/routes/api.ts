import {
  CreateRouteCommand,
  DeleteRouteCommand,
  type EC2Client,
  ModifyInstanceAttributeCommand,
  ReplaceRouteCommand,
} from '@aws-sdk/client-ec2';
import type { RouteChange, RouteRemoval } from './model.ts';

export interface RouteWrites {
  /** Carries out one change. Rejects with the SDK's error. */
  changeRoute(change: RouteChange | RouteRemoval): Promise<void>;
}

const commandOf = (change: RouteChange | RouteRemoval) => {
  switch (change.type) {
    case 'DisableSourceCheck':
      return new ModifyInstanceAttributeCommand({
        InstanceId: change.instanceId,
        SourceDestCheck: { Value: false },
      });
    case 'DeleteRoute':
      return new DeleteRouteCommand({ RouteTableId: change.tableId, DestinationCidrBlock: change.block });
    default: {
      const { type, tableId: RouteTableId, block: DestinationCidrBlock, instanceId: InstanceId } = change;
      const input = { RouteTableId, DestinationCidrBlock, InstanceId };
      return type === 'CreateRoute' ? new CreateRouteCommand(input) : new ReplaceRouteCommand(input);
    }
  }
};

/** The port, implemented with an SDK client. */
export const routeWrites = (client: EC2Client): RouteWrites => ({
  changeRoute: async (change) => {
    // The commands have different types, which `send` does not accept as a union.
    await client.send(commandOf(change) as DeleteRouteCommand);
  },
});
