import { Buffer } from 'node:buffer';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
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

/** The secrets with which bootstrap data reach a machine; see shared/bootstrap/delivery. */
export interface BootstrapSecrets {
  /**
   * Creates the secret. If one with that name exists, as in a retry, it succeeds if the tags name the machine.
   * Otherwise it throws RefusedError, because the machine would boot with another machine's data.
   */
  create(secret: BootstrapSecret): Promise<void>;
  /**
   * Deletes the secret permanently. Succeeds if the machine has already deleted it. `foreign`: its tags do not name the
   * machine, and it is kept.
   */
  delete(name: string, owner: MachineIdentity): Promise<'gone' | 'foreign'>;
}

interface BootstrapSecret {
  name: string;
  data: Uint8Array;
  tags: Tags;
  token: string;
  owner: MachineIdentity;
}

/**
 * One store. A secret's name comes from an object that tenants can write, so the secret's tags are read before it is
 * deleted.
 */
interface Store {
  create(secret: BootstrapSecret): Promise<unknown>;
  /** Undefined if there is no such secret. */
  tagsOf(name: string): Promise<Tags | undefined>;
  remove(name: string): Promise<unknown>;
}

const unless = async <T>(isFine: (error: unknown) => boolean, request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (isFine(error)) return undefined;
    throw error;
  }
};

/** The store in AWS Secrets Manager. */
const inSecretsManager = (client: SecretsManagerClient): Store => ({
  create: ({ name, data, tags, token }) =>
    client.send(
      new CreateSecretCommand({ Name: name, SecretBinary: data, Tags: toTagList(tags), ClientRequestToken: token }),
    ),
  tagsOf: async (name) => {
    const found = await unless(isNotFound, client.send(new DescribeSecretCommand({ SecretId: name })));
    return found && fromTagList(found.Tags);
  },
  remove: (name) => client.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true })),
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

const deleteIn = async (store: Store, name: string, owner: MachineIdentity): Promise<'gone' | 'foreign'> => {
  const tags = await store.tagsOf(name);
  if (!tags) return 'gone';
  if (!isMachines({ tags }, owner)) return 'foreign';
  await unless(isNotFound, store.remove(name));
  return 'gone';
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

/** Only the deletion, and only in Secrets Manager. */
export const createSecretDeletion = (client: SecretsManagerClient): Pick<BootstrapSecrets, 'delete'> => {
  const secrets = inSecretsManager(client);
  return { delete: (name, owner) => deleteIn(secrets, name, owner) };
};
