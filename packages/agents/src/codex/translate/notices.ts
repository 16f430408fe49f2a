/** Notifications that are ignored, and notifications that become status items. */

/** Known notifications whose information is in other events or irrelevant to the session. */
export const ignored: ReadonlySet<string> = new Set([
  "account/login/completed",
  "account/rateLimits/updated",
  "account/updated",
  "app/list/updated",
  "command/exec/outputDelta",
  "fs/changed",
  "item/fileChange/outputDelta",
  "item/fileChange/patchUpdated",
  "process/exited",
  "process/outputDelta",
  "rawResponse/completed",
  "remoteControl/status/changed",
  "skills/changed",
  "thread/archived",
  "thread/closed",
  "thread/compacted",
  "thread/deleted",
  "thread/name/updated",
  "thread/prediction/updated",
  "thread/queue/changed",
  "thread/readState/changed",
  "thread/reverted",
  "thread/settings/updated",
  "thread/started",
  "thread/status/changed",
  "thread/unarchived",
  "turn/diff/updated",
]);

/** Notifications that become a status item with this label, and their params as JSON. */
export const labels: Readonly<Record<string, string>> = {
  guardianWarning: "Warning",
  "hook/started": "Hook started",
  "hook/completed": "Hook finished",
  "item/autoApprovalReview/started": "Approval review started",
  "item/autoApprovalReview/completed": "Approval review finished",
  "model/rerouted": "Model changed",
  "model/verification": "Model verification",
  "modelProvider/authRecoveryStarted": "Renewing credentials",
  "modelProvider/authRecoveryCompleted": "Credentials renewed",
  "thread/goal/updated": "Goal",
  "thread/goal/cleared": "Goal cleared",
};
