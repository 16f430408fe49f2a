/** What a session changed in its directory: diffs and checkpoints. */
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

export function changeHandlers({ sessions }: HttpContext) {
  const changesOf = (params: { session_id: string }) => sessions.get(params.session_id).requireChanges();
  return {
    getDiff: ({ params, query }) => changesOf(params).diff(query.turn ?? null),
    listCheckpoints: ({ params }) => ({ checkpoints: sessions.get(params.session_id).changes?.list() ?? [] }),
    createCheckpoint: ({ params, body }) => changesOf(params).create(body.title ?? null),
    previewCheckpoint: ({ params }) => changesOf(params).preview(params.checkpoint_id),
    restoreCheckpoint: ({ params }) => changesOf(params).restore(params.checkpoint_id),
  } satisfies Partial<Handlers>;
}
