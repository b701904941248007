/** Installs Windlass's kinds in another API server, as CustomResourceDefinitions. */
import { systemClock } from '../../../shared/clock.ts';
import { customResourceDefinitionOf } from '../../../shared/kube-api/custom-resource-definition.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';

/** Sends a request, and resolves to the code and the JSON body of the response. */
export type SendJson = (method: string, path: string, body?: unknown) => Promise<{ code: number; body: unknown }>;

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const LOOKS = 300;
const LOOK_MILLISECONDS = 100;

/** Makes the server serve the kinds that are not built in, and resolves when it does. */
export const installCustomResources = async (
  send: SendJson,
  definitions: readonly ResourceDefinition[],
): Promise<void> => {
  const custom = definitions.filter(({ builtIn }) => !builtIn);
  for (const definition of custom) {
    const { code, body } = await send('POST', DEFINITIONS, customResourceDefinitionOf([definition]));
    if (code !== 201) throw new Error(`the definition of ${definition.kind} was refused: ${JSON.stringify(body)}`);
  }
  await Promise.all(custom.map((definition) => untilServed(send, definition)));
};

const untilServed = async (send: SendJson, { group, version, plural }: ResourceDefinition): Promise<void> => {
  for (let look = 0; look < LOOKS; look++) {
    const { code } = await send('GET', `/apis/${group}/${version}/${plural}`);
    if (code === 200) return;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
  throw new Error(`${plural}.${group} is not served`);
};
