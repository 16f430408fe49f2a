/** What a session changed in its directory: diffs and checkpoints. */
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

type ChangeHandlers = Pick<
  Handlers,
  "getDiff" | "listCheckpoints" | "createCheckpoint" | "previewCheckpoint" | "restoreCheckpoint"
>;

export function changeHandlers({ sessions }: HttpContext): ChangeHandlers {
  return {
    getDiff: ({ params, query }) =>
      sessions
        .get(params.session_id)
        .requireChanges()
        .diff(query.turn ?? null),
    listCheckpoints({ params }) {
      return { checkpoints: sessions.get(params.session_id).changes?.list() ?? [] };
    },
    createCheckpoint({ params, body }) {
      return sessions
        .get(params.session_id)
        .requireChanges()
        .create(body.title ?? null);
    },
    previewCheckpoint({ params }) {
      return sessions.get(params.session_id).requireChanges().preview(params.checkpoint_id);
    },
    restoreCheckpoint({ params }) {
      return sessions.get(params.session_id).requireChanges().restore(params.checkpoint_id);
    },
  };
}
