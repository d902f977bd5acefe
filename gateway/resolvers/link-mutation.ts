import type { LinkActionInput, Resolvers, ResolversTypes } from '../../gen/graphql.js';
import type { Link } from '../../gen/proto/waypost/link/v1/link_service.js';
import { isAppError } from '../../runtime/app-error.js';
import { isProblem } from '../../runtime/error-graphql.js';
import type { GatewayContext } from '../context.js';
import { idempotencyKey } from '../idempotency-key.js';
import { checkInput, fieldsOf, maskOf } from './link-input.js';

export const linkMutations: Resolvers<GatewayContext> = {
  Mutation: {
    createLink: (_parent, { input }, context, info) =>
      payload(input, () =>
        context.services.link.call(
          'createLink',
          {
            fields: fieldsOf(input),
            domainGroup: input.domainGroup ?? '',
            shortCode: input.shortCode ?? undefined,
            redirectType: input.redirectType ?? undefined,
            idempotencyKey: idempotencyKey(input, context, info),
          },
          context.caller,
        ),
      ),

    updateLink: (_parent, { input }, context, info) =>
      payload(input, () =>
        context.services.link.call(
          'updateLink',
          {
            id: input.id,
            expectedVersion: input.expectedVersion,
            fields: fieldsOf(input),
            mask: maskOf(input),
            reason: input.reason ?? '',
            idempotencyKey: idempotencyKey(input, context, info),
          },
          context.caller,
        ),
      ),

    disableLink: (_parent, { input }, context) => setEnabled(false, input, context),
    enableLink: (_parent, { input }, context) => setEnabled(true, input, context),
  },
};

function setEnabled(enabled: boolean, input: LinkActionInput, { services, caller }: GatewayContext) {
  const { id, expectedVersion, reason } = input;
  return payload(input, () =>
    services.link.call(
      'setLinkEnabled',
      { id, enabled, expectedVersion: expectedVersion ?? undefined, reason: reason ?? '' },
      caller,
    ),
  );
}

/** A failure that the caller can mend becomes problems of the payload, their paths beginning at the argument. */
async function payload(
  input: object,
  call: () => Promise<{ link: Link | undefined; replayed?: boolean }>,
): Promise<Awaited<ResolversTypes['LinkPayload']>> {
  try {
    checkInput(input);
    const { link, replayed = false } = await call();
    return { link: link ?? null, problems: [], replayed };
  } catch (error) {
    if (!isAppError(error) || !isProblem(error)) throw error;
    const problems = error.problems.map(({ path, ...rest }) => ({ ...rest, path: path ? ['input', ...path] : null }));
    return { link: null, problems, replayed: false };
  }
}
