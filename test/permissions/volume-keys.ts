/** Customer-managed keys of volumes; AWS-managed keys require no permission of the caller. */
import type { Account } from '../../infra/local/account.ts';
import type { RecordedCall } from '../../infra/local/recorded-call.ts';

interface Input {
  BlockDeviceMappings?: { Ebs?: { Encrypted?: boolean; KmsKeyId?: string } }[];
  InstanceIds?: string[];
}

const GRANTING = 'kms:CreateGrant';

/**
 * EC2's operations with a key on behalf of the caller. Sources: Amazon EBS User Guide, "Permissions for IAM users", for
 * new volumes; AWS Knowledge Center, "Why did my EC2 instance change from the Pending state to the Stopped state", for
 * those of a started instance.
 */
const USES: Readonly<Record<string, readonly string[]>> = {
  RunInstances: [
    'kms:DescribeKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:Decrypt',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
    GRANTING,
  ],
  StartInstances: [GRANTING],
};

/** The actions that an EC2 operation requires on each key, with their context keys. */
export const usesOfKeys = ({ operation, region }: RecordedCall) =>
  (USES[operation] ?? []).map((action) => ({
    action,
    mutates: action === GRANTING,
    context: {
      'kms:ViaService': `ec2.${region}.amazonaws.com`,
      ...(action === GRANTING ? { 'kms:GrantIsForAWSResource': 'true' } : {}),
    },
  }));

/** The ARNs of the keys for the volumes that a call creates, or whose instances it starts. */
export const volumeKeysOf = (account: Account, { operation, region, input }: RecordedCall): string[] => {
  const { BlockDeviceMappings = [], InstanceIds = [] } = input as Input;
  const attached = account.ec2(region).volumes.all();
  const keys: Readonly<Record<string, (string | undefined)[]>> = {
    RunInstances: BlockDeviceMappings.map(({ Ebs }) =>
      Ebs?.Encrypted ? (Ebs.KmsKeyId ?? account.settings.defaultVolumeKey) : undefined,
    ),
    StartInstances: attached.map(({ instanceId = '', kmsKeyId }) =>
      InstanceIds.includes(instanceId) ? kmsKeyId : undefined,
    ),
  };
  return [...new Set((keys[operation] ?? []).flatMap((key) => key ?? []))];
};
