/** All items of all pages of an SDK paginator. */
export const collectPages = async <Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => Item[] | undefined,
): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(itemsOf(page) ?? []));
  return items;
};
