/** All items of all pages of one of the SDK's paginators. */
export const collectPages = async <Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => Item[] | undefined,
): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(itemsOf(page) ?? []));
  return items;
};
