import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { type Engine, onlyKnown } from '../../engine.ts';
import type { Vault } from '../../keep/vault.ts';
import type { Identity, Target } from '../../template.ts';

/** Rotation and the key's policy have no effect on a laptop. */
const KNOWN = ['Description', 'EnableKeyRotation', 'KeyPolicy'];

/** Creates the template's KMS keys in the simulated AWS, through KMS's own API. */
export const keysEngine = (options: {
  target: Target;
  awsUrl: string;
  /** The key of each resource in an earlier start, if that account was kept. */
  vault?: Vault;
}): Engine => {
  const { target, awsUrl, vault } = options;
  return {
    types: ['AWS::KMS::Key'],
    create: async (resource): Promise<Identity> => {
      onlyKnown(resource, KNOWN);
      const kept = vault?.read<Identity>(resource.logicalId);
      if (kept) return kept;
      const credentials = { accessKeyId: target.accountId, secretAccessKey: 'none' };
      const client = new KMSClient({ endpoint: awsUrl, region: target.region, credentials });
      const Description = String(resource.properties.Description ?? resource.logicalId);
      const { KeyMetadata } = await client.send(new CreateKeyCommand({ Description }));
      client.destroy();
      if (!KeyMetadata?.KeyId || !KeyMetadata.Arn) throw new Error('KMS made a key without an id');
      const identity: Identity = { ref: KeyMetadata.KeyId, attributes: { Arn: KeyMetadata.Arn } };
      vault?.write(resource.logicalId, identity);
      return identity;
    },
  };
};
