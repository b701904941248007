/** An extension that is a Lambda function, which blocks the creation and the deletion of a cluster. */
import { userFunctionOf } from '../../../../infra/local/engines/lambda/user-function.ts';
import { CORE, conditionOf } from '../../../end-to-end/laptop.ts';
import { applyAll, MERGE, remove, type Story, sweep } from './story.ts';

const NAME = 'managed';

/** Lambda functions in the account that do not belong to the stack. */
export const FUNCTIONS = [userFunctionOf('hooks', 'examples/extension.mjs')];

export const extension: Story = {
  name: NAME,
  run: async (laptop) => {
    await applyAll(laptop, 'examples/extension.yaml', (object) => object);
    // The sweep discovers the function's handlers.
    await sweep(laptop);
    await applyAll(laptop, 'examples/clusterclass.yaml', (object) =>
      object.kind === 'Cluster'
        ? { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, freeze: 'true' } } }
        : object,
    );
    const says = async (text: string) =>
      conditionOf(await laptop.cluster(NAME), 'TopologyReconciled')?.message?.includes(text) ?? false;
    await laptop.until('the function holds the creation', () => says('the label freeze holds this create'));
    const path = `${CORE}/clusters/${NAME}`;
    await laptop.api.send('DELETE', path);
    await laptop.until('the function holds the deletion', () => says('the label freeze holds this delete'));
    await laptop.api.send('PATCH', path, { metadata: { labels: { freeze: null } } }, MERGE);
    await remove(laptop, NAME);
  },
};
