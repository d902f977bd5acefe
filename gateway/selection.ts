import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/** Whether a field's own selection reaches down this path of field names, in whatever fragments; directives are not evaluated. */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, ...path: string[]): boolean {
  let reached: FieldNode[] = [...fieldNodes];
  for (const name of path) {
    reached = reached.flatMap(({ selectionSet }) =>
      fieldsOf(selectionSet, fragments).filter((field) => field.name.value === name),
    );
  }
  return reached.length > 0;
}

function fieldsOf(set: SelectionSetNode | undefined, fragments: GraphQLResolveInfo['fragments']): FieldNode[] {
  return (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === 'Field') return [selection];
    if (selection.kind === 'InlineFragment') return fieldsOf(selection.selectionSet, fragments);
    return fieldsOf(fragments[selection.name.value]?.selectionSet, fragments);
  });
}
