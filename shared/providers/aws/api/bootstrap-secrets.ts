import { Buffer } from 'node:buffer';
import { CreateSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  DeleteParameterCommand,
  ListTagsForResourceCommand,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { awsCodeOf, isAlreadyExists, isNotFound } from '../../../aws/errors.ts';
import { RefusedError } from '../../../errors.ts';
import { isParameter } from '../plan/delivery/plan.ts';
import { isMachines, type MachineIdentity } from '../plan/ownership/instance.ts';
import { fromTagList, type Tags, toTagList } from '../tags.ts';
import { type DeletableStore, deletableSecrets, deleteIn, type SecretDeletion, unless } from './secret-deletion.ts';

/** The secrets with which bootstrap data reach a machine; see shared/bootstrap/delivery. */
export interface BootstrapSecrets extends SecretDeletion {
  /**
   * Creates the secret. If one with that name exists, as in a retry, it succeeds if the tags name the machine.
   * Otherwise it throws RefusedError, because the machine would boot with another machine's data.
   */
  create(secret: BootstrapSecret): Promise<void>;
}

interface BootstrapSecret {
  name: string;
  data: Uint8Array;
  tags: Tags;
  token: string;
  owner: MachineIdentity;
}

/** One store. */
interface Store extends DeletableStore {
  create(secret: BootstrapSecret): Promise<unknown>;
}

/** The store in AWS Secrets Manager. */
const inSecretsManager = (client: SecretsManagerClient): Store => ({
  create: ({ name, data, tags, token }) =>
    client.send(
      new CreateSecretCommand({ Name: name, SecretBinary: data, Tags: toTagList(tags), ClientRequestToken: token }),
    ),
  ...deletableSecrets(client),
});

/** Systems Manager's error for the tags of a parameter that no longer exists. */
const isNoResource = (error: unknown): boolean => isNotFound(error) || awsCodeOf(error) === 'InvalidResourceId';

/** The store in the Parameter Store of AWS Systems Manager, encrypted with the account's own key for it. */
const inParameterStore = (client: SSMClient): Store => ({
  create: ({ name, data, tags }) => {
    const Value = Buffer.from(data).toString('base64');
    return client.send(new PutParameterCommand({ Name: name, Value, Type: 'SecureString', Tags: toTagList(tags) }));
  },
  tagsOf: async (ResourceId) => {
    const request = new ListTagsForResourceCommand({ ResourceType: 'Parameter', ResourceId });
    const found = await unless(isNoResource, client.send(request));
    return found && fromTagList(found.TagList);
  },
  remove: (name) => client.send(new DeleteParameterCommand({ Name: name })),
});

const createIn = async (store: Store, secret: BootstrapSecret): Promise<void> => {
  try {
    await store.create(secret);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const tags = await store.tagsOf(secret.name);
    if (tags && !isMachines({ tags }, secret.owner))
      throw new RefusedError(`spec.cloudInit.secretPrefix: ${secret.name} exists and does not belong to this machine`, {
        cause: error,
      });
  }
};

/** Both stores; a secret's name shows in which one it is. */
export const createBootstrapSecrets = (clients: {
  secretsManager: SecretsManagerClient;
  ssm: SSMClient;
}): BootstrapSecrets => {
  const secrets = inSecretsManager(clients.secretsManager);
  const parameters = inParameterStore(clients.ssm);
  const storeOf = (name: string): Store => (isParameter(name) ? parameters : secrets);
  return {
    create: (secret) => createIn(storeOf(secret.name), secret),
    delete: (name, owner) => deleteIn(storeOf(name), name, owner),
  };
};
