import { ActorKind, type Actor as ActorMessage } from '../../gen/proto/waypost/context/v1/context.js';
import { knownName } from '../enum.js';

export function actorOf(actor: ActorMessage | undefined) {
  if (!actor) throw new Error('a change without an actor');
  return { id: actor.id, kind: knownName(ActorKind, actor.kind), name: actor.name || null };
}
